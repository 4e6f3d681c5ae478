/** How CodeMirror looks and behaves here: prose, calm, in the page's own colours, and under its strict policy. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** A header that is longer is none. */
const HEADER = 100;

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent", color: "var(--ink)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.65" },
  ".cm-content": { padding: "1rem 0", caretColor: "var(--accent)", maxWidth: "56rem" },
  ".cm-line": { padding: "0 1.25rem", unicodeBidi: "plaintext", textAlign: "start" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-wash)",
  },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-textfield, .cm-button": { backgroundImage: "none", backgroundColor: "var(--sheet)", border: "1px solid var(--line-strong)", color: "var(--ink)" },
  ".cm-searchMatch": { backgroundColor: "var(--warm-wash)", outline: "1px solid var(--warm)" },
  ".cm-specialChar": { color: "var(--danger)" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--danger-wash)" },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--plus-wash)" },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": { background: "none", textDecoration: "underline", textDecorationColor: "var(--danger)" },
  "&.cm-merge-b .cm-changedText": { background: "none", textDecoration: "underline", textDecorationColor: "var(--plus)" },
  ".cm-gutters": { backgroundColor: "transparent", borderRight: "none" },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--danger) !important" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--plus) !important" },
  ".cm-deletedChunk": { padding: "0 1.25rem" },
  ".cm-deletedChunk .cm-chunkButtons": { position: "static", textAlign: "right" },
  ".cm-deletedChunk .cm-chunkButtons button": {
    margin: "0 2px",
    padding: "2px 8px",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--round-small)",
    background: "var(--sheet)",
    color: "var(--ink)",
    font: "550 0.75rem var(--text)",
    textDecoration: "none",
  },
  ".cm-front, .cm-front *": { color: "var(--ink-faint) !important", fontWeight: "400 !important" },
  ".cm-collapsedLines": { background: "var(--sunk)", color: "var(--ink-soft)" },
});

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "650", color: "var(--ink)" },
  { tag: tags.strong, fontWeight: "650" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--hue-2)" },
  { tag: tags.monospace, color: "var(--hue-5)" },
  { tag: tags.quote, color: "var(--ink-soft)" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta], color: "var(--ink-faint)" },
]);

/** The line break of a text: what CodeMirror splits at comes back as it was, and any other stays a sign in its line. */
const breaks = (text: string) => (/\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? "\r\n" : "\n");

const faint = Decoration.line({ class: "cm-front" });

/** The header stands back; as Markdown it would be a rule and a loud heading. */
const front = EditorView.decorations.compute(["doc"], ({ doc }) => {
  if (doc.line(1).text.replace("\uFEFF", "").trimEnd() !== "---") return Decoration.none;
  const marks = [faint.range(0)];
  for (let at = 2; at <= Math.min(doc.lines, HEADER); at++) {
    const line = doc.line(at);
    marks.push(faint.range(line.from));
    if (line.text.trimEnd() === "---") return Decoration.set(marks);
  }
  return Decoration.none;
});

export interface Behaviour {
  label: string;
  readOnly?: boolean;
  changed?: (text: string) => void;
  save?: () => void;
}

export function behaves(text: string, { label, readOnly = false, changed, save }: Behaviour): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    EditorState.lineSeparator.of(breaks(text)),
    EditorState.readOnly.of(readOnly),
    EditorView.editable.of(!readOnly),
    EditorView.contentAttributes.of({ "aria-label": label, ...(readOnly ? { tabindex: "0" } : {}) }),
    EditorView.lineWrapping,
    // Each line goes the way of its own script.
    EditorView.perLineTextDirection.of(true),
    history(),
    drawSelection(),
    highlightSpecialChars(),
    markdown(),
    syntaxHighlighting(colours),
    front,
    search({ top: true }),
    keymap.of([
      { key: "Mod-s", preventDefault: true, run: () => (save?.(), true) },
      ...defaultKeymap,
      ...historyKeymap,
      ...searchKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed?.(update.state.sliceDoc());
    }),
    theme,
  ];
}

/** Puts another text in by the smallest change, so that the cursor stays; `false` = its line breaks need a new view. */
export function replace(view: EditorView, text: string): boolean {
  const now = view.state.sliceDoc();
  if (now === text) return true;
  if (view.state.lineBreak !== breaks(text)) return false;
  let from = 0;
  let [end, other] = [now.length, text.length];
  // Positions count a line break as one sign; where it has two, the whole text is put in.
  if (view.state.lineBreak.length > 1) end = view.state.doc.length;
  else {
    const most = Math.min(end, other);
    while (from < most && now[from] === text[from]) from++;
    while (end > from && other > from && now[end - 1] === text[other - 1]) [end, other] = [end - 1, other - 1];
  }
  view.dispatch({ changes: { from, to: end, insert: view.state.toText(text.slice(from, other)) } });
  return true;
}
