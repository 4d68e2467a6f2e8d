// Counters of the browser report collector. The reports themselves are received outside the API.
import { Type } from 'typebox'
import { operations } from './operation.ts'
import { objectId } from './primitives.ts'
import { PAGE_SHIELD_READ } from './page-shield.ts'

const section = { tag: 'Client-side monitoring: extensions', params: { zone_id: objectId('the zone') } }

export const collector = operations('page_shield.collector', section, {
  counts: {
    id: 'page_shield.collector.get',
    route: 'GET /zonereeve/zones/{zone_id}/page_shield/collector',
    summary: 'Count the zone’s browser reports by outcome',
    description:
      'Since the process started, on this node. Reports without a valid signature belong to no zone: `/metrics` counts them.',
    permission: PAGE_SHIELD_READ,
    result: Type.Object({
      recorded: Type.Integer({ description: 'Detections for the inventory.' }),
      violations: Type.Integer({
        description: 'Violations of policies that are not relevant for the inventory.',
      }),
      hashes: Type.Integer({ description: 'Script contents; they are stored with the known scripts.' }),
      evicted: Type.Integer({
        description:
          'Infrequent resources that were evicted for new ones because the inventory was full; never authorized or malicious ones.',
      }),
      dropped: Type.Record(Type.String(), Type.Integer(), {
        description: 'Dropped reports, counted by reason; docs/monitoring.md lists the reasons.',
      }),
    }),
  },
})
