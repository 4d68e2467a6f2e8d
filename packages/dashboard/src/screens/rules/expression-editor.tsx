// The editor of an expression: CodeMirror in a shadow root, with completion and a mark under what is wrong.
import { autocompletion, completionKeymap, type CompletionContext } from '@codemirror/autocomplete'
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
import { useEffect, useRef } from 'react'
import { OFFERED_NAMES, problemOf, type ExpressionProblem, type OfferedName } from './expression-problem.ts'

/** What is written instead of a part of the expression. */
export interface Repair {
  readonly from: number
  readonly to: number
  readonly insert: string
}

interface ExpressionEditorProps {
  readonly label: string
  /** Another one is made at once. */
  readonly repair?: Repair | undefined
  readonly start: string
  readonly onEdited: (expression: string) => void
  /** The same function every time. */
  readonly problemIn?: (expression: string) => ExpressionProblem | undefined
  /** What is completed; the same list every time. */
  readonly names?: readonly OfferedName[]
}

const THEME = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--sheet)',
    fontSize: '13px',
    borderRadius: 'var(--r-control)',
  },
  '&.cm-focused': { outline: 'var(--focus)', outlineOffset: '0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '22px', minHeight: '74px', maxHeight: '40vh' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  // It ends with the last line: a ground of its own would end there, too.
  '.cm-gutters': { color: 'var(--ink-3)', backgroundColor: 'transparent', border: '0' },
  '.cm-wrong': {
    textDecoration: 'underline wavy var(--bad) 1px',
    textUnderlineOffset: '5px',
  },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raise)',
    border: '1px solid var(--line-strong)',
    borderRadius: '5px',
    overflow: 'hidden',
  },
  // All options that are rendered are in sight: the arrow keys bring the others.
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: '13px',
    maxWidth: 'min(700px, 88vw)',
    maxHeight: 'none',
    overflow: 'hidden',
  },
  // As high as a target has to be, on touch, too.
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '0 10px',
    lineHeight: 'calc(var(--control) - 6px)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--ink)',
    backgroundColor: 'var(--act-soft)',
  },
  '.cm-completionInfo': { fontFamily: 'var(--sans)', padding: '6px 10px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--act-soft)',
  },
})

const setProblem = StateEffect.define<ExpressionProblem | undefined>()
const WRONG = Decoration.mark({ class: 'cm-wrong' })

const wrongSpan = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, transaction) {
    const effect = transaction.effects.find((candidate) => candidate.is(setProblem))
    if (effect === undefined) return marked.map(transaction.changes)
    const problem = effect.value as ExpressionProblem | undefined // of setProblem
    if (problem === undefined) return Decoration.none
    const { start } = problem.span
    const end = Math.min(problem.span.end, transaction.state.doc.length)
    return start < end ? Decoration.set([WRONG.range(start, end)]) : Decoration.none
  },
  provide: (field) => EditorView.decorations.from(field),
})

const SHOWN_OPTIONS = 8

/** A name is letters, digits, dots and underscores. */
const completeFrom = (names: readonly OfferedName[]) => (context: CompletionContext) => {
  const word = context.matchBefore(/[a-z_][\w.]*/)
  if (word === null && !context.explicit) return null
  return { from: word === null ? context.pos : word.from, options: [...names], validFor: /^[\w.]*$/ }
}

export function ExpressionEditor(props: ExpressionEditorProps) {
  const { label, start, onEdited, problemIn = problemOf, names = OFFERED_NAMES, repair } = props
  const host = useRef<HTMLDivElement>(null)
  const shown = useRef<EditorView>(undefined)
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
      state: EditorState.create({
        doc: start,
        extensions: [
          ...extensionsFor(label, problemIn, (expression) => edited.current(expression)),
          autocompletion({
            override: [completeFrom(names)],
            icons: false,
            maxRenderedOptions: SHOWN_OPTIONS,
          }),
        ],
      }),
    })
    shown.current = view
    return () => view.destroy()
  }, [label, start, problemIn, names])
  useEffect(() => {
    if (repair === undefined) return
    shown.current?.dispatch({ changes: repair, selection: { anchor: repair.from + repair.insert.length } })
    shown.current?.focus()
  }, [repair])
  // Keys belong to the editor: Escape closes its list, and not the form with what is written.
  return (
    <div
      ref={host}
      className="text-editor"
      role="presentation"
      onKeyDown={(event) => event.stopPropagation()}
    />
  )
}

const extensionsFor = (
  label: string,
  problemIn: (expression: string) => ExpressionProblem | undefined,
  onEdited: (expression: string) => void,
) => [
  lineNumbers(),
  history(),
  drawSelection(),
  EditorView.lineWrapping,
  wrongSpan,
  keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
  EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
  EditorView.updateListener.of(({ docChanged, state, view }) => {
    if (!docChanged) return
    const expression = state.doc.toString()
    view.dispatch({ effects: setProblem.of(problemIn(expression)) })
    onEdited(expression)
  }),
  THEME,
]
