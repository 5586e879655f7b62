def embed(table, ids, out):
  idx = load(ids)
  rows = gather(table, idx)
  store(rows, out)
