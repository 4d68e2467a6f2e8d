// Scores the data that a script sends: where its values come from and where they go.
import { type Flow, taintNames } from './observations.ts'
import { type Origin, originOf } from './origins.ts'
import { type TaintName } from './values.ts'

/** For values that belong to no visitor: not a flow. */
const NOTHING_LEAVES = 99

/**
 * The score of the worst flow, by what leaves and whether another host is named. Data sent to the site's own host
 * scores 99.
 */
const SCORES: Readonly<Record<TaintName, Readonly<Record<Exclude<Origin, 'own'>, number>>>> = {
  card: { other: 4, unknown: 12 },
  password: { other: 10, unknown: 25 },
  keys: { other: 12, unknown: 30 },
  field: { other: 25, unknown: 50 },
  clipboard: { other: 30, unknown: 50 },
  cookie: { other: 35, unknown: 60 },
  storage: { other: 60, unknown: 80 },
  page: { other: 70, unknown: 85 },
  place: { other: 90, unknown: 95 },
  network: { other: 95, unknown: 97 },
  request: { other: 50, unknown: 70 },
  referrer: { other: 96, unknown: 98 },
  agent: { other: 97, unknown: 98 },
  clock: { other: NOTHING_LEAVES, unknown: NOTHING_LEAVES },
  chance: { other: NOTHING_LEAVES, unknown: NOTHING_LEAVES },
}
const IN_PAGE = new Set(['storage', 'code', 'markup', 'message', 'clipboard'])

export interface ScoredFlow {
  readonly flow: Flow
  readonly taint: TaintName
  readonly score: number
}

/** The flows that leave the page, worst first. */
export function scoreFlows(flows: readonly Flow[], ownHosts: readonly string[]): readonly ScoredFlow[] {
  return flows
    .flatMap((flow) => {
      const origin = originOf(flow.address, ownHosts)
      if (origin === 'own' || IN_PAGE.has(flow.sink)) return []
      return taintNames(flow.taint).map((taint) => ({ flow, taint, score: SCORES[taint][origin] }))
    })
    .filter(({ score }) => score < NOTHING_LEAVES)
    .toSorted((a, b) => a.score - b.score)
}
