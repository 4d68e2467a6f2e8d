// What became of browser reports. The reports themselves come in outside the API.
import { Type } from 'typebox'
import { operation } from './operation.ts'
import { PAGE_SHIELD_READ, pageShieldZonePath } from './page-shield.ts'

export const collector = {
  counts: operation({
    id: 'page_shield.collector.get',
    method: 'GET',
    path: '/zonereeve/zones/{zone_id}/page_shield/collector',
    summary: 'Count what became of the zone’s browser reports',
    description:
      'Since the program started, on this node. Reports without a valid signature belong to no zone: `/metrics` counts them.',
    tag: 'Client-side monitoring: own additions',
    permission: PAGE_SHIELD_READ,
    params: pageShieldZonePath,
    result: Type.Object({
      recorded: Type.Integer({ description: 'Sightings for the inventory.' }),
      violations: Type.Integer({ description: 'Violations of policies that are nothing for the inventory.' }),
      hashes: Type.Integer({
        description: 'Contents of scripts; they are kept beside the scripts that are known.',
      }),
      displaced: Type.Integer({
        description:
          'Infrequent resources that made room for new ones because the inventory was full; never authorised nor malicious ones.',
      }),
      dropped: Type.Record(Type.String(), Type.Integer(), {
        description: 'Reports by why they were dropped.',
      }),
    }),
  }),
}
