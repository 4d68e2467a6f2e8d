// The token that a user would give to a client: only for records, in every zone.
import { ok } from 'node:assert/strict'
import type { Target } from '../program.ts'
import { call } from './zone.ts'

const GROUPS = ['Zone Read', 'DNS Write']

export interface ClientToken {
  readonly value: string
  readonly remove: () => Promise<void>
}

export async function createClientToken(target: Target): Promise<ClientToken> {
  const groups = await call<{ id: string; name: string; scopes: string[] }[]>(
    target,
    'GET',
    '/user/tokens/permission_groups',
  )
  const expected = groups.filter(({ name }) => GROUPS.includes(name))
  const scope = expected[0]?.scopes[0]
  ok(expected.length === GROUPS.length && scope !== undefined, `the groups ${GROUPS.join(', ')}`)
  const { id, value } = await call<{ id: string; value: string }>(target, 'POST', '/user/tokens', {
    name: 'a client',
    policies: [
      {
        effect: 'allow',
        resources: { [`${scope}.*`]: '*' },
        permission_groups: expected.map((group) => ({ id: group.id })),
      },
    ],
  })
  return {
    value,
    async remove() {
      await call(target, 'DELETE', `/user/tokens/${id}`)
    },
  }
}
