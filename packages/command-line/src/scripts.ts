// Commands for the scripts that browsers reported: what changed between two contents, and fetching one now.
import type { Command } from 'commander'
import type { WireContents, WireScriptDiff } from '@zonereeve/contract'
import type { Api } from './api.ts'
import type { OutputRow } from './output.ts'
import { client, isJson, plainClient, run, runPlain } from './verb.ts'

interface ListedScript {
  readonly id: string
  readonly url: string
}

const SCRIPT_ID = /^[0-9a-f]{32}$/

export function addScriptCommands(program: Command): void {
  const scripts = program.command('scripts').description('scripts of monitoring: contents and differences')
  plainClient(scripts.command('diff <zone> <script>'))
    .description(
      'show what changed between two contents of a script (its ID or URL), beautified: - removed, + added, < moved from here, > moved to here',
    )
    .option('--from <sha256>', 'the earlier content (default: the one before --to)')
    .option('--to <sha256>', 'the later content (default: the current one)')
    .option('--json', 'print the difference as JSON')
    .action(
      runPlain(async (api, [zone = '', script = ''], options) => {
        const path = await scriptPath(api, zone, script)
        const query = new URLSearchParams()
        for (const name of ['from', 'to'] as const)
          if (typeof options[name] === 'string') query.set(name, options[name])
        const { result } = await api.call<WireScriptDiff>('GET', `${path}/diff?${query}`)
        process.stdout.write(
          isJson(options) ? `${JSON.stringify(result, null, 2)}\n` : differenceText(result),
        )
      }),
    )
  client(scripts.command('contents <zone> <script>'))
    .description(
      'list the contents of a script that were fetched, and when browsers reported to have run them',
    )
    .action(
      run(async (api, [zone = '', script = ''], print) => {
        const path = await scriptPath(api, zone, script)
        const { result } = await api.call<WireContents>('GET', `${path}/contents`)
        print(result.history, [
          'content_sha256',
          'bytes',
          'first_fetched_at',
          'last_fetched_at',
          'first_run_at',
          'last_run_at',
          'source',
        ])
      }),
    )
  client(scripts.command('fetch <zone> <script>'))
    .description('fetch a script as soon as possible')
    .action(
      run(async (api, [zone = '', script = ''], print) => {
        const path = await scriptPath(api, zone, script)
        const { result } = await api.call<WireContents>('POST', `${path}/fetch`, {})
        const row: OutputRow = { next_fetch_at: result.next_fetch_at, content_sha256: result.content_sha256 }
        print([row], ['next_fetch_at', 'content_sha256'])
      }),
    )
}

/** @throws Error if the zone has no such script, or several. */
async function scriptPath(api: Api, zone: string, script: string): Promise<string> {
  const id = await api.zoneId(zone)
  const own = `/zonereeve/zones/${id}/page_shield/scripts`
  if (SCRIPT_ID.test(script)) return `${own}/${script}`
  const query = new URLSearchParams({
    urls: script.replaceAll(',', '%2C'),
    status: 'active,infrequent,inactive',
    exclude_duplicates: 'false',
    exclude_cdn_cgi: 'false',
    page: 'all',
  })
  const { result } = await api.call<ListedScript[]>('GET', `/zones/${id}/page_shield/scripts?${query}`)
  const exact = result.filter(({ url }) => url === script)
  const found = exact.length > 0 ? exact : result
  const [first, ...more] = found
  if (first === undefined) throw new Error(`no script with the URL ${script} in ${zone}`)
  if (more.length > 0)
    throw new Error(
      `${found.length} scripts match ${script}; name one by its ID:\n${found.map((one) => `${one.id}  ${one.url}`).join('\n')}`,
    )
  return `${own}/${first.id}`
}

const MARKS = { same: ' ', added: '+', removed: '-', moved_from: '<', moved_to: '>' } as const

function differenceText({
  url,
  from,
  to,
  hunks,
  added,
  removed,
  moved,
  form,
  shortened,
}: WireScriptDiff): string {
  return [
    `--- ${stripControls(url)}  ${from.content_sha256}  fetched ${from.first_fetched_at}`,
    `+++ ${stripControls(url)}  ${to.content_sha256}  fetched ${to.first_fetched_at}`,
    ...hunks.flatMap((hunk) => [
      `@@ -${hunk.from_line} +${hunk.to_line} @@`,
      ...hunk.lines.map(({ kind, text }) => MARKS[kind] + stripControls(text)),
    ]),
    `${added} added, ${removed} removed, ${moved} moved${form === 'text' ? '; compared as text' : ''}${shortened ? '; shortened' : ''}`,
    '',
  ].join('\n')
}

/** Hostile code must not control the terminal. */
const stripControls = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
