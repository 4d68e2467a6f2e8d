// How many DNS queries of a zone were answered, over the last day.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { namedObject, nullable, objectId, timestamp } from './primitives.ts'

const counts = {
  answered: Type.Integer({ description: 'Answers with NOERROR.' }),
  no_such_name: Type.Integer({ description: 'Answers with NXDOMAIN.' }),
  failed: Type.Integer({ description: 'Answers with another response code.' }),
}

const WireZoneAnswers = namedObject('ZoneAnswers', {
  bin_seconds: Type.Integer({ description: 'Length of a bin.' }),
  bins: Type.Array(Type.Object({ start: timestamp('When it began.'), ...counts }), {
    description: 'Without gaps, oldest first; the last one is not over.',
  }),
  recent: nullable(
    Type.Object(
      { seconds: Type.Number({ description: 'In how many seconds.' }), ...counts },
      { description: 'The last few seconds; null = not known yet.' },
    ),
  ),
})
export type WireZoneAnswers = Static<typeof WireZoneAnswers>

export const zoneAnswers = operations(
  'zones',
  { tag: 'Zones', params: { zone_id: objectId('the zone') } },
  {
    answers: {
      id: 'zones.answers.get',
      route: 'GET /zonereeve/zones/{zone_id}/answers',
      summary: 'Count the answers of a zone over the last day',
      description:
        'Of the node that answers, since it started. Only as many zones are counted as `--dns-metric-zones` allows: the first that were queried. Of others there are no bins.',
      permission: { on: 'zone', anyOf: ['Zone Read', 'Zone Write'] },
      result: WireZoneAnswers,
    },
  },
)
