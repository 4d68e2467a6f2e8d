// The HTTP route for how many queries of a zone were answered.
import { zoneAnswers, type WireZoneAnswers } from '@zonereeve/contract'
import { BIN_MILLIS, type AnswerCounts, type AnswerHistory, type ZoneAnswers } from '@zonereeve/nameserver'
import type { Clock } from '@zonereeve/platform'
import { route, type Route } from '../http/index.ts'

interface ZoneAnswersDeps {
  readonly nameOf: (zoneId: string) => Promise<string>
  readonly clock: Clock
  readonly history: Pick<AnswerHistory, 'of'>
}

export const zoneAnswerRoutes = ({ nameOf, clock, history }: ZoneAnswersDeps): Route[] => [
  route(zoneAnswers.answers, async ({ params }) => ({
    result: toWireAnswers(history.of(await nameOf(params.zone_id), clock.now())),
  })),
]

const toWireAnswers = (found: ZoneAnswers | undefined): WireZoneAnswers => ({
  bin_seconds: BIN_MILLIS / 1_000,
  bins:
    found === undefined
      ? []
      : found.bins.map(({ startMillis, ...counts }) => ({
          start: new Date(startMillis).toISOString(),
          ...toWireCounts(counts),
        })),
  recent:
    found === undefined || found.recent.millis === 0
      ? null
      : { seconds: found.recent.millis / 1_000, ...toWireCounts(found.recent) },
})

const toWireCounts = ({ answered, noSuchName, failed }: AnswerCounts) => ({
  answered,
  no_such_name: noSuchName,
  failed,
})
