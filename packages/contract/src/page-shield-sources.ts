// Sources of scripts: how often they are fetched, what was fetched, and the difference between two contents.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { PAGE_SHIELD_READ, PAGE_SHIELD_WRITE } from './page-shield.ts'
import { closedObject, namedObject, objectId, oneOf, sha256Digest, timestamp } from './primitives.ts'

const base = '/zonereeve/zones/{zone_id}/page_shield'

const MIN_INTERVAL_MINUTES = 10
const MAX_INTERVAL_MINUTES = 7 * 24 * 60
const MAX_OWN_INTERVALS = 200
const MAX_URL_CHARACTERS = 8192

const intervalMinutes = Type.Integer({
  minimum: MIN_INTERVAL_MINUTES,
  maximum: MAX_INTERVAL_MINUTES,
  description: 'Minutes between fetches of a script.',
})
const ownIntervals = Type.Array(
  closedObject({
    url: Type.String({ minLength: 1, maxLength: MAX_URL_CHARACTERS, description: 'As in the inventory.' }),
    interval_minutes: intervalMinutes,
  }),
  { maxItems: MAX_OWN_INTERVALS, description: 'Scripts with an interval of their own.' },
)
const storeSources = Type.Boolean({
  description: 'Whether sources are stored. Switching it off deletes those that are stored.',
})

const FetchingMembers = {
  interval_minutes: intervalMinutes,
  scripts: ownIntervals,
  store_sources: storeSources,
}

const WireFetching = namedObject('PageShieldFetching', {
  ...FetchingMembers,
  stored_bytes: Type.Integer({ description: 'Bytes of the stored sources, compressed.' }),
})
export type WireFetching = Static<typeof WireFetching>

const FetchingPut = Type.Partial(Type.Object(FetchingMembers), { additionalProperties: false })
export type FetchingPut = Static<typeof FetchingPut>

const comparedContent = Type.Object({
  content_sha256: Type.String(),
  first_fetched_at: timestamp('When it was first fetched.'),
  last_fetched_at: timestamp('When it was last fetched.'),
})

const line = Type.Integer({ description: 'Line of the beautified content, from 1.' })

const WireScriptDiff = namedObject('ScriptDiff', {
  script_id: objectId('the script'),
  url: Type.String(),
  from: comparedContent,
  to: comparedContent,
  form: oneOf(['syntax', 'text'], {
    description:
      '`syntax`: both contents are beautified. `text`: one of them cannot be parsed, or is longer than a megabyte; lines are broken after semicolons, braces and commas.',
  }),
  added: Type.Integer({ description: 'Added lines.' }),
  removed: Type.Integer({ description: 'Removed lines.' }),
  moved: Type.Integer({ description: 'Lines that are the same at another place.' }),
  shortened: Type.Boolean({ description: 'Whether there are more lines than shown, or longer ones.' }),
  hunks: Type.Array(
    Type.Object({
      from_line: line,
      to_line: line,
      lines: Type.Array(
        Type.Object({
          kind: oneOf(['same', 'added', 'removed', 'moved_from', 'moved_to']),
          text: Type.String(),
        }),
      ),
    }),
    { description: 'Changed lines with three lines around them, at most 4,000.' },
  ),
})
export type WireScriptDiff = Static<typeof WireScriptDiff>

const section = {
  tag: 'Client-side monitoring: extensions',
  params: {
    zone_id: objectId('the zone'),
    script_id: objectId('the script'),
    content_sha256: sha256Digest('SHA-256 of the content in hexadecimal.'),
  },
}

export const pageShieldSources = operations('page_shield.sources', section, {
  getFetching: {
    id: 'page_shield.fetching.get',
    route: `GET ${base}/fetching`,
    summary: 'Get how often scripts are fetched, and whether their sources are stored',
    permission: PAGE_SHIELD_READ,
    result: WireFetching,
  },
  putFetching: {
    id: 'page_shield.fetching.put',
    route: `PUT ${base}/fetching`,
    summary: 'Set how often scripts are fetched, and whether their sources are stored',
    description:
      'Members that are not sent are not changed. A shorter interval applies at once. Failed fetches are repeated by their own schedule.',
    permission: PAGE_SHIELD_WRITE,
    body: FetchingPut,
    result: WireFetching,
  },
  get: {
    route: `GET ${base}/scripts/{script_id}/contents/{content_sha256}`,
    summary: 'Download the source of a script’s content',
    description: 'The bytes as they were fetched, as a text file to save. It may be hostile: do not run it.',
    permission: PAGE_SHIELD_READ,
    result: Type.String(),
    files: ['text/plain'],
    filesOnly: true,
  },
  diff: {
    id: 'page_shield.scripts.diff',
    route: `GET ${base}/scripts/{script_id}/diff`,
    summary: 'Compare two contents of a script',
    description: 'Both are beautified first, so that minified code is comparable. Nothing of them is run.',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({
      from: Type.Optional(sha256Digest('The earlier content; default: the one before `to`.')),
      to: Type.Optional(sha256Digest('The later content; default: the current one.')),
    }),
    onceInQuery: 'all',
    result: WireScriptDiff,
  },
})
