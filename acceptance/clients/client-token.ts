// The token that its user would give to a client: records of every zone, and nothing else.
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
  const wanted = groups.filter(({ name }) => GROUPS.includes(name))
  const scope = wanted[0]?.scopes[0]
  ok(wanted.length === GROUPS.length && scope !== undefined, `the groups ${GROUPS.join(', ')}`)
  const { id, value } = await call<{ id: string; value: string }>(target, 'POST', '/user/tokens', {
    name: 'a client',
    policies: [
      {
        effect: 'allow',
        resources: { [`${scope}.*`]: '*' },
        permission_groups: wanted.map((group) => ({ id: group.id })),
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
