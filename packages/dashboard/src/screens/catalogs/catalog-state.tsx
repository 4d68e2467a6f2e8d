// The state of a secondary catalog zone in one word: what needs attention comes before what is good.
import type { WireSecondaryCatalog } from '../../api/catalogs.ts'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { catalogStrings as text } from '../../strings/catalogs.ts'

const TONES: Readonly<Record<WireSecondaryCatalog['state'], Tone>> = {
  current: 'normal',
  waiting: 'expected',
  expired: 'wrong',
  ending: 'expected',
}

type Shown = Pick<WireSecondaryCatalog, 'state' | 'held' | 'problem' | 'conflicts'>

export function stateOf({ state, held, problem, conflicts }: Shown): {
  readonly tone: Tone
  readonly words: string
} {
  if (state === 'expired' || state === 'ending') return { tone: TONES[state], words: text.states[state] }
  if (held !== null) return { tone: 'warning', words: text.attention.held }
  if (problem !== null) return { tone: 'warning', words: text.attention.problem }
  if (conflicts.length > 0) return { tone: 'warning', words: text.attention.conflicts }
  return { tone: TONES[state], words: text.states[state] }
}

export function CatalogState({ catalog }: { readonly catalog: Shown }) {
  const { tone, words } = stateOf(catalog)
  return <StatusWord tone={tone}>{words}</StatusWord>
}
