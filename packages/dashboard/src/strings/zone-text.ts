// Texts of the zone-file editor.
import { numberText } from '../strings.ts'

export const zoneTextStrings = {
  title: 'Records as text',
  intro: 'All records in zone-file format. Nothing changes before you have seen the difference.',
  forms: 'Back to the forms',
  editor: (zone: string) => `Zone file of ${zone}`,
  importFile: 'Import a file',
  imported: (count: number, name: string) =>
    `${numberText(count)} lines of ${name} are added to the text. Review them before they are applied.`,
  export: 'Export',
  review: 'Review changes',
  reset: 'Discard',
  checking: (lines: number) => `The server checks ${numberText(lines)} lines.`,
  applying: (lines: number) =>
    `The server writes ${numberText(lines)} lines. Nothing is changed before all are.`,
  plan: 'Changes',
  planOf: ({ added, changed, removed, unchanged }: Counts) =>
    `${numberText(added)} added, ${numberText(changed)} changed, ${numberText(removed)} deleted, ${numberText(unchanged)} as they are.`,
  nothing: 'Nothing would change.',
  diff: 'Difference',
  more: (count: number) => `and ${numberText(count)} more lines`,
  apply: 'Apply',
  back: 'Go on editing',
  applied: ({ added, changed, removed }: Counts) =>
    `${numberText(added)} added, ${numberText(changed)} changed, ${numberText(removed)} deleted.`,
  refused: 'Nothing was changed. What is wrong:',
  line: (number: number) => `line ${numberText(number)}`,
  changedSince: 'Somebody else changed this zone since the text was read.',
  readAgain: 'Read it again (discards your text)',
} as const

interface Counts {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}
