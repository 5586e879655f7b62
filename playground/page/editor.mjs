// The editor: CodeMirror with the words of PTO, findings under the lines, fixes, hover and completion by the language server.
import {autocompletion, completionKeymap} from "@codemirror/autocomplete";
import {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
import {bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting} from "@codemirror/language";
import {lintGutter, lintKeymap, setDiagnostics} from "@codemirror/lint";
import {highlightSelectionMatches, searchKeymap} from "@codemirror/search";
import {EditorState, StateEffect, StateField} from "@codemirror/state";
import {Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers} from "@codemirror/view";
import {tags} from "@lezer/highlight";

// ---- words, in the colours of the report page

const WORDS = [
  [/\/\/.*/, "comment"], [/"(?:\\.|[^"\\])*"?/, "string"], [/[%@^][\w.$#-]+/, "variableName"], [/![\w.]+|#[\w.]+/, "typeName"],
  [/\b(?:f16|bf16|f32|f64|i1|i8|i16|i32|i64|u8|u16|u32|u64|index|vec|f8\w+|hif8)\b/, "typeName"], [/pto\.[\w.]+/, "function"],
  [/\b(?:module|func\.\w+|func|return|scf\.\w+|arith\.\w+|memref\.\w+|cf\.\w+|affine\.\w+)\b/, "keyword"], [/PIPE_\w+|EVENT_ID\d+/, "atom"],
  [/-?\b(?:0x[\da-fA-F]+|\d+(?:x[\dx?]*\w+)|\d+(?:\.\d+)?(?:e[+-]?\d+)?)/, "number"], [/[\w.$]+/, null],
].map(([pattern, kind]) => [new RegExp(pattern.source, "y"), kind]);

const pto = StreamLanguage.define({
  name: "pto",
  token(stream) {
    if (stream.eatSpace()) return null;
    for (const [pattern, kind] of WORDS) {
      pattern.lastIndex = stream.pos;
      const found = pattern.exec(stream.string);
      if (found) {
        stream.pos += found[0].length;
        return kind;
      }
    }
    stream.next();
    return null;
  },
  languageData: {commentTokens: {line: "//"}, closeBrackets: {brackets: ["(", "[", "{", "<", '"']}},
  tokenTable: {function: tags.function(tags.variableName)},
});
const colours = HighlightStyle.define([
  {tag: tags.comment, color: "var(--soft)"}, {tag: tags.string, color: "var(--string)"}, {tag: tags.typeName, color: "var(--type)"},
  {tag: tags.function(tags.variableName), color: "var(--op)"}, {tag: [tags.keyword, tags.number, tags.atom], color: "var(--word)"},
]);

// ---- positions of the language server

const offset = (doc, {line, character}) => line >= doc.lines ? doc.length : Math.min(doc.line(line + 1).from + character, doc.line(line + 1).to);
const position = (doc, at) => ({line: doc.lineAt(at).number - 1, character: at - doc.lineAt(at).from});
const SEVERITIES = ["", "error", "warning", "info", "hint"];

// Makes the edits of a fix, which are those of one text.
export function applyEdits(view, edits) {
  const {doc} = view.state;
  view.dispatch({changes: edits.map(e => ({from: offset(doc, e.range.start), to: offset(doc, e.range.end), insert: e.newText})), userEvent: "input.fix"});
}

// ---- the line that the report page is at

const setLine = StateEffect.define();
const mark = Decoration.line({class: "issued"});
const issued = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setLine)) return effect.value > 0 && effect.value <= transaction.state.doc.lines ? Decoration.set([mark.range(transaction.state.doc.line(effect.value).from)]) : Decoration.none;
    return marks.map(transaction.changes);
  },
  provide: field => EditorView.decorations.from(field),
});

export const showLine = (view, line) => view.dispatch({effects: setLine.of(line)});
export function goToLine(view, line, column = 1) {
  const at = Math.min(view.state.doc.line(Math.min(line, view.state.doc.lines)).from + column - 1, view.state.doc.length);
  view.dispatch({selection: {anchor: at}, effects: EditorView.scrollIntoView(at, {y: "center"})});
  view.focus();
}

// ---- what the language server says

// Bold, code and line breaks are all that its texts have.
function markdown(text) {
  const element = document.createElement("div");
  element.className = "hover";
  for (const paragraph of text.trim().split(/\n\n+/)) {
    const p = document.createElement("p");
    for (const part of paragraph.split(/(\*\*[^*]+\*\*|`[^`]+`|\n)/)) {
      if (part === "\n") p.append(document.createElement("br"));
      else if (part.startsWith("**")) p.append(Object.assign(document.createElement("b"), {textContent: part.slice(2, -2)}));
      else if (part.startsWith("`")) p.append(Object.assign(document.createElement("code"), {textContent: part.slice(1, -1)}));
      else p.append(part);
    }
    element.append(p);
  }
  return element;
}

const hover = ask => hoverTooltip(async (view, at) => {
  const {doc} = view.state, answer = await ask(["hover", {position: position(doc, at)}], doc.toString());
  if (!answer || !answer.contents) return null;
  const range = answer.range || {start: position(doc, at), end: position(doc, at)};
  return {pos: offset(doc, range.start), end: offset(doc, range.end), above: true, create: () => ({dom: markdown(answer.contents.value)})};
});

const complete = ask => async context => {
  const before = context.matchBefore(/[%!#@\w.$]+/), {doc} = context.state;
  if (!before && !context.explicit) return null;
  const answer = await ask(["completion", {position: position(doc, context.pos)}], doc.toString());
  const items = answer ? answer.items : [];
  if (!items.length) return null;
  const from = items[0].textEdit ? offset(doc, items[0].textEdit.range.start) : before ? before.from : context.pos;
  return {from, validFor: /^[%!#@\w.$]*$/, options: items.map(i => ({label: i.textEdit ? i.textEdit.newText : i.insertText || i.label, detail: i.detail, info: i.documentation?.value || i.documentation}))};
};

// Findings as the editor shows them; fix(d) makes one's edits.
export function showFindings(view, findings, fix) {
  const {doc} = view.state;
  view.dispatch(setDiagnostics(view.state, findings.map(d => {
    const from = offset(doc, d.range.start), to = Math.max(offset(doc, d.range.end), from);
    return {from, to, severity: SEVERITIES[d.severity] || "info", source: d.code, message: d.message, actions: d.data?.edits ? [{name: "fix", apply: () => fix(d)}] : []};
  })));
}

const look = EditorView.theme({
  "&": {height: "100%", fontSize: "13.5px", backgroundColor: "var(--paper)", color: "var(--ink)"},
  ".cm-scroller": {fontFamily: "var(--mono)", lineHeight: "1.55"}, ".cm-content": {caretColor: "var(--ink)"},
  "&.cm-focused .cm-cursor": {borderLeftColor: "var(--ink)"}, "&.cm-focused": {outline: "none"},
  ".cm-gutters": {backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--line)"},
  ".cm-activeLine": {backgroundColor: "var(--active)"}, ".cm-activeLineGutter": {backgroundColor: "var(--active)", color: "var(--ink)"},
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {backgroundColor: "var(--selected)"},
  ".cm-tooltip": {backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "0 4px 16px #0003", maxWidth: "min(560px, 92vw)"},
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {backgroundColor: "var(--selected)", color: "var(--ink)"},
  ".cm-diagnostic": {padding: "6px 10px", whiteSpace: "pre-wrap", fontFamily: "var(--sans)"}, ".cm-diagnosticSource": {opacity: 1, color: "var(--soft)", fontSize: "12px"},
  ".cm-diagnosticAction": {backgroundColor: "var(--accent)", color: "var(--paper)", borderRadius: "4px", padding: "2px 10px", marginLeft: "8px"},
  ".cm-diagnostic-error": {borderLeft: "4px solid var(--error)"}, ".cm-diagnostic-warning": {borderLeft: "4px solid var(--warning)"}, ".cm-diagnostic-info": {borderLeft: "4px solid var(--note)"},
  ".cm-panels": {backgroundColor: "var(--panel)", color: "var(--ink)"}, ".cm-searchMatch": {backgroundColor: "var(--mark)"},
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {backgroundColor: "var(--mark)", color: "inherit"}, ".cm-line.issued": {backgroundColor: "var(--mark)"},
  ".cm-lintRange-error": {backgroundImage: "none", textDecoration: "underline wavy var(--error) 1.5px", textUnderlineOffset: "3px"},
  ".cm-lintRange-warning": {backgroundImage: "none", textDecoration: "underline wavy var(--warning) 1.5px", textUnderlineOffset: "3px"},
  ".cm-lintRange-info, .cm-lintRange-hint": {backgroundImage: "none", textDecoration: "underline dotted var(--note) 1.5px", textUnderlineOffset: "3px"},
});

// ask(question, text): the language server's answer. changed(): after every edit. moved(line): the cursor is in another line.
export function makeEditor(parent, {ask, changed, moved, run}) {
  let line = 1;
  const view = new EditorView({
    parent, state: EditorState.create({
      doc: "", extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
        pto, syntaxHighlighting(colours), issued, hover(ask), autocompletion({override: [complete(ask)]}), look,
        keymap.of([{key: "Mod-Enter", run: () => (run(), true)}, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({"aria-label": "program", spellcheck: "false", autocorrect: "off", autocapitalize: "off"}),
        EditorView.updateListener.of(update => {
          const now = update.state.doc.lineAt(update.state.selection.main.head).number;
          if (update.docChanged) changed();
          if (now !== line) moved(line = now);
        }),
      ],
    }),
  });
  return view;
}

export const setText = (view, text) => view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}, selection: {anchor: 0}, scrollIntoView: true});
