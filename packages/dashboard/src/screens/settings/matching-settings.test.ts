// Which settings match what is typed.
import { expect, test } from 'vitest'
import type { WireServerSetting } from '../../api/server-health.ts'
import { matchingSettings } from './matching-settings.ts'

const setting = (name: string, more: Partial<WireServerSetting> = {}): WireServerSetting => ({
  name,
  environment: `ZONEREEVE_${name.toUpperCase()}`,
  description: 'address of the API',
  value: '127.0.0.1:8080',
  default: null,
  is_set: true,
  is_secret: false,
  origin: 'default',
  ...more,
})
const SETTINGS = [
  setting('http', { origin: 'flag --http' }),
  setting('dns', { description: 'address of the nameserver', value: null }),
  setting('history-days', { description: 'days to keep the history', value: '0' }),
]

const cases: readonly (readonly [string, Parameters<typeof matchingSettings>[1], readonly string[]])[] = [
  ['nothing typed', {}, ['http', 'dns', 'history-days']],
  ['a name', { q: 'http' }, ['http']],
  ['words of the description', { q: 'days keep' }, ['history-days']],
  ['a value', { q: '127.0' }, ['http']],
  ['a value that is null is not the word null', { q: 'null' }, []],
  ['an environment variable, in any case', { q: 'zonereeve_dns' }, ['dns']],
  ['only those that are set', { set: 'yes' }, ['http']],
  ['both', { q: 'dns', set: 'yes' }, []],
]

test.each(cases)('%s', (_, search, names) => {
  expect(matchingSettings(SETTINGS, search).map(({ name }) => name)).toEqual(names)
})
