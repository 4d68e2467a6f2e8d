// The changes of a watched page between two observations, as lines of a diff.
import type { WireChangedSnapshot, WireServedScript } from '../../api/watched-pages.ts'
import { watchedPageStrings as text } from '../../strings/watched-pages.ts'
import type { DiffLine } from '../history/diff-lines.ts'

/** Its URL, or how its code begins. */
export function scriptText({ url, sample, hash }: WireServedScript): string {
  if (url !== null) return url
  return [sample, hash].filter((part) => part !== null && part !== '').join('  ')
}

/** Headers first, then scripts; removed lines before added ones. */
export function changeLines({
  changed_headers: headers,
  added_scripts: added,
  removed_scripts: removed,
}: Pick<WireChangedSnapshot, 'changed_headers' | 'added_scripts' | 'removed_scripts'>): DiffLine[] {
  const scriptLine =
    (mark: '+' | '−') =>
    (script: WireServedScript): DiffLine => ({
      mark,
      text: text.scriptText(text.kinds[script.kind], scriptText(script)),
    })
  return [
    ...headers.flatMap(({ name, before, after }): DiffLine[] => [
      ...(before === null ? [] : [{ mark: '−', text: `${name}: ${before}` } as const]),
      ...(after === null ? [] : [{ mark: '+', text: `${name}: ${after}` } as const]),
    ]),
    ...removed.map(scriptLine('−')),
    ...added.map(scriptLine('+')),
  ]
}
