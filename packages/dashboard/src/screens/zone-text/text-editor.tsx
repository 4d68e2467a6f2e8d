// CodeMirror in a shadow root: its styles are adopted style sheets there, which the page's content policy allows.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view'
import { useEffect, useRef, type RefObject } from 'react'

export interface EditorHandle {
  readonly text: () => string
  readonly append: (text: string) => void
  readonly goTo: (line: number) => void
  /** Marks these lines as wrong, numbered from 1. */
  readonly mark: (lines: readonly number[]) => void
}

interface TextEditorProps {
  readonly label: string
  readonly start: string
  readonly handle: RefObject<EditorHandle | undefined>
  readonly onEdited: () => void
}

const THEME = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--sheet)', fontSize: '13px' },
  '&.cm-focused': { outline: 'var(--focus)', outlineOffset: '0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '22px', maxHeight: '60vh', minHeight: '240px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--ink-3)', backgroundColor: 'var(--inset)', border: '0' },
  '.cm-wrong': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--act-soft)',
  },
})

const setWrong = StateEffect.define<readonly number[]>()
const WRONG = Decoration.line({ class: 'cm-wrong' })

const wrongLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, transaction) {
    const effect = transaction.effects.find((candidate) => candidate.is(setWrong))
    if (effect === undefined) return marked.map(transaction.changes)
    const { doc } = transaction.state
    const lines = (effect.value as readonly number[]).filter((line) => line >= 1 && line <= doc.lines) // of setWrong
    return Decoration.set(
      [...new Set(lines)].toSorted((a, b) => a - b).map((line) => WRONG.range(doc.line(line).from)),
    )
  },
  provide: (field) => EditorView.decorations.from(field),
})

export function TextEditor({ label, start, handle, onEdited }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const edited = useRef(onEdited)
  useEffect(() => {
    edited.current = onEdited
  })
  useEffect(() => {
    const { current } = host
    if (current === null) return undefined
    const root = current.shadowRoot ?? current.attachShadow({ mode: 'open' })
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({ doc: start, extensions: extensionsFor(label, () => edited.current()) }),
    })
    handle.current = handleOf(view)
    view.focus()
    return () => {
      handle.current = undefined
      view.destroy()
    }
  }, [label, start, handle])
  // Keys belong to the editor, not to the page's shortcuts.
  return (
    <div
      ref={host}
      className="text-editor"
      role="presentation"
      onKeyDown={(event) => event.stopPropagation()}
    />
  )
}

const extensionsFor = (label: string, onEdited: () => void) => [
  lineNumbers(),
  history(),
  drawSelection(),
  wrongLines,
  keymap.of([...defaultKeymap, ...historyKeymap]),
  EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) onEdited()
  }),
  THEME,
]

const handleOf = (view: EditorView): EditorHandle => ({
  text: () => view.state.doc.toString(),
  append(text) {
    const { doc } = view.state
    const separator = doc.length === 0 || doc.sliceString(doc.length - 1) === '\n' ? '' : '\n'
    view.dispatch({
      changes: { from: doc.length, insert: separator + text },
      selection: { anchor: doc.length + separator.length },
      scrollIntoView: true,
    })
  },
  goTo(line) {
    const { doc } = view.state
    const { from } = doc.line(Math.min(doc.lines, Math.max(1, line)))
    view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
    view.focus()
  },
  mark: (lines) => view.dispatch({ effects: setWrong.of(lines) }),
})
