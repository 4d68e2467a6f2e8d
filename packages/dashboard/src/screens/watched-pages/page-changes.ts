// The changes of a watched page between two observations, as lines of a diff.
import { MAX_OBSERVATIONS, type WireChangedSnapshot, type WireServedScript } from '../../api/watched-pages.ts'
import { watchedPageStrings as text } from '../../strings/watched-pages.ts'
import type { DiffLine } from '../history/diff-lines.ts'

/** Its URL, or how its code begins. */
export function scriptText({ url, sample, hash }: WireServedScript): string {
  if (url !== null) return url
  return [sample, hash].filter((part) => part !== null && part !== '').join('  ')
}

type Changes = Pick<WireChangedSnapshot, 'changed_headers' | 'added_scripts' | 'removed_scripts'>
type State = Pick<WireChangedSnapshot, 'final_url' | 'missing_policies' | 'omitted_scripts'>

/**
 * The address first, then headers, policies and scripts; removed lines before added ones.
 * @param before the observation before it from the same source
 */
export function changeLines(after: Changes & State, before: State): DiffLine[] {
  return [
    ...valueLines(text.final, before.final_url, after.final_url),
    ...after.changed_headers.flatMap(({ name, before: was, after: is }) => valueLines(name, was, is)),
    ...without(before.missing_policies, after.missing_policies).map((id): DiffLine => ({
      mark: '+',
      text: text.policyLine(id),
    })),
    ...without(after.missing_policies, before.missing_policies).map((id): DiffLine => ({
      mark: '−',
      text: text.policyLine(id),
    })),
    ...after.removed_scripts.map(scriptLine('−')),
    ...after.added_scripts.map(scriptLine('+')),
    ...valueLines(text.omittedName, String(before.omitted_scripts), String(after.omitted_scripts)),
  ]
}

/** The observation before one of a list, newest first, from the same source; undefined if the list has none. */
export function observationBefore<Observation extends Pick<WireChangedSnapshot, 'number' | 'source'>>(
  { number, source }: Observation,
  all: readonly Observation[],
): Observation | undefined {
  return all.find((one) => one.source === source && one.number < number)
}

/** The text of an observation without changes. */
export const unchangedText = (before: object | undefined, shown: number): string =>
  before === undefined && shown >= MAX_OBSERVATIONS ? text.oldestShown : text.first

const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((each) => !others.includes(each))

/** null = there was none, or is none. */
function valueLines(name: string, before: string | null, after: string | null): DiffLine[] {
  if (before === after) return []
  return [
    ...(before === null ? [] : [{ mark: '−', text: `${name}: ${before}` } as const]),
    ...(after === null ? [] : [{ mark: '+', text: `${name}: ${after}` } as const]),
  ]
}

const scriptLine =
  (mark: '+' | '−') =>
  (script: WireServedScript): DiffLine => ({
    mark,
    text: text.scriptText(text.kinds[script.kind], scriptText(script)),
  })
