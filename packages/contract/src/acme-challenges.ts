// Challenges of certificate authorities (ACME, DNS-01), for programs that may write nothing else: edges that get their
// own certificates. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, objectId } from './primitives.ts'

const WireAcmeChallenge = namedObject('AcmeChallenge', {
  name: Type.String({ examples: ['_acme-challenge.www.example.com'], description: 'Of the TXT record.' }),
  value: Type.String({ description: 'Its content.' }),
})
export type WireAcmeChallenge = Static<typeof WireAcmeChallenge>

const host = Type.String({
  minLength: 1,
  maxLength: 253,
  description: 'The name that the certificate is for, without `*.`: the zone’s own, or one below it.',
})
const value = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  must: 'be a SHA-256 digest in base64url: 43 characters',
  description: 'SHA-256 of the key authorization, as RFC 8555 §8.4 has it.',
})

const permission = { on: 'zone', anyOf: ['ACME Challenges Write', 'DNS Write'] } as const
const base = '/zonereeve/zones/{zone_id}/acme_challenges'

export const acmeChallenges = operations(
  'acme_challenges',
  {
    tag: 'Edge',
    // What does not exist is nothing to remove, whatever it looks like.
    params: {
      zone_id: objectId('the zone'),
      host,
      value: Type.String({ description: 'As it was published.' }),
    },
  },
  {
    publish: {
      route: `POST ${base}`,
      summary: 'Publish a challenge of a certificate authority',
      description:
        'Adds the TXT record, unless it exists, and replies when this nameserver answers it. With `?wait=all`, after all nodes have it.',
      permission,
      body: closedObject({ host, value }),
      result: WireAcmeChallenge,
    },
    remove: {
      route: `DELETE ${base}/{host}/{value}`,
      summary: 'Remove a challenge of a certificate authority',
      description: 'Deletes the TXT record, if it exists.',
      permission,
      result: WireAcmeChallenge,
    },
  },
)
