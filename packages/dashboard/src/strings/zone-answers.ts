// Texts of the chart of answers.
import { rateText } from '../strings.ts'

export const zoneAnswerStrings = {
  title: 'Answers',
  note: 'last 24 hours, UTC',
  none: 'No queries since the server started.',
  legend: { answered: 'answered', noSuchName: 'no such name', failed: 'failed' },
  perSecond: (rate: number): string => (rate === 0 ? '0' : `${rateText(rate)}/s`),
  now: 'now',
  chart: (highest: string) => `Answers per second over time, at most ${highest}`,
  columns: { time: 'Time, UTC' },
} as const
