# An image with ptog, its library, headers and manual pages: docker run --rm -v "$PWD:/work" ptogather check kernels
FROM debian:bookworm-slim AS build
WORKDIR /source
COPY . .
RUN cmake/setup.sh build
RUN cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPTOG_MPI=OFF && cmake --build build --parallel
RUN DESTDIR=/stage cmake --install build --prefix /usr/local

FROM debian:bookworm-slim
COPY --from=build /stage/ /
RUN ldconfig && ptog --version
WORKDIR /work
ENTRYPOINT ["ptog"]
CMD ["help"]
