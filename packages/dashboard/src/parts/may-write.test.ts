import { expect, test } from 'vitest'
import { mayWriteAccounts, mayWriteZone } from './may-write.ts'

test.each([
  ['a session that is not known yet', undefined, false],
  ['no session', null, false],
  ['a viewer', { role: 'viewer' as const, zone_roles: [] }, false],
  ['an owner', { role: 'owner' as const, zone_roles: [] }, true],
  [
    'a viewer who edits this zone',
    { role: 'viewer' as const, zone_roles: [{ zone_id: 'a', role: 'editor' as const }] },
    true,
  ],
  [
    'an editor of another zone',
    { role: null, zone_roles: [{ zone_id: 'b', role: 'editor' as const }] },
    false,
  ],
])('%s', (_, session, expected) => expect(mayWriteZone(session, 'a')).toBe(expected))

test.each([
  ['a session that is not known yet', undefined, false],
  ['no session', null, false],
  ['a user with roles on zones only', { role: null }, false],
  ['a viewer', { role: 'viewer' as const }, false],
  ['an editor, who may change zones', { role: 'editor' as const }, false],
  ['an admin', { role: 'admin' as const }, true],
  ['an owner', { role: 'owner' as const }, true],
])('objects of accounts: %s', (_, session, expected) => expect(mayWriteAccounts(session)).toBe(expected))
