// One zone with everything in it.
import { PLANS } from '@zonereeve/contract'
import { isDeepStrictEqual } from 'node:util'
import { isItem, itemsOf, readAll, type Item } from './connection.ts'
import { subjectOf, writeOne, type ImportContext } from './import-context.ts'
import { importRecords } from './import-records.ts'
import { importRulesets } from './import-rulesets.ts'
import type { ZoneSnapshot } from './snapshot.ts'
import { LIST_PARTS, ZONE_READERS, type ListPart } from './zone-parts.ts'

/** The settings of a zone here. */
export const KNOWN_SETTINGS = ['http2', 'http3', 'security_level', 'waf']

/** Members of the source that are written, all of them or only those that differ. */
interface Single {
  readonly method: 'PATCH' | 'PUT'
  readonly path: string
  readonly members: (value: Item) => Item
  readonly isWhole?: boolean
}

const pick = (value: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))

const SINGLES: Readonly<Record<string, Single>> = {
  'DNS settings': { method: 'PATCH', path: '/dns_settings', members: dnsSettings },
  'URL normalization': {
    method: 'PUT',
    path: '/url_normalization',
    members: (value) => pick(value, ['scope', 'type']),
    isWhole: true,
  },
  'monitoring settings': {
    method: 'PUT',
    path: '/page_shield',
    members: (value) =>
      pick(value, ['enabled', 'use_cloudflare_reporting_endpoint', 'use_connection_url_path']),
  },
}

/** Without what names the servers of the source: its nameservers, and the mailbox of who runs them. */
function dnsSettings(value: Item): Item {
  const { soa, nameservers, ...rest } = value
  const times = isItem(soa) ? pick(soa, ['refresh', 'retry', 'expire', 'min_ttl', 'ttl']) : {}
  const isCustom = isItem(nameservers) && nameservers['type'] === 'custom.zone'
  return {
    ...rest,
    ...(isItem(soa) ? { soa: times } : {}),
    ...(isCustom ? { nameservers: { type: 'custom.zone' } } : {}),
  }
}

/** @param managed identifiers of the managed rulesets of the target. */
export async function importZone(
  context: ImportContext,
  account: string,
  { zone, parts }: ZoneSnapshot,
  managed: ReadonlySet<string>,
): Promise<void> {
  const { target, report } = context
  const name = String(zone['name'])
  const subject = subjectOf(name, 'zone', name, zone)
  if (zone['type'] !== 'full') {
    const reason = `only zones of the type full are imported, and this is ${String(zone['type'])}: set up its primaries here`
    return report({ ...subject, action: 'left out', reason })
  }
  const [present] = await readAll(target, `/zones?name=${encodeURIComponent(name)}&account.id=${account}`)
  if (present !== undefined) report({ ...subject, action: 'unchanged', target_id: String(present['id']) })
  const created =
    present ??
    (await writeOne(context, subject, 'create', [
      'POST',
      '/zones',
      { ...zoneDraft(zone), account: { id: account } },
    ]))
  if (created === undefined && !context.isPlan) return
  const path = isItem(created) ? `/zones/${String(created['id'])}` : undefined
  const state = async (part: string): Promise<unknown> =>
    path === undefined ? undefined : await ZONE_READERS[part]?.(target, path.slice('/zones/'.length))
  const own = { name, path: path ?? '/zones/planned' } // a plan writes nothing there

  if (parts['DNS settings'] !== undefined) await importSingle(context, own, 'DNS settings', parts, state)
  if (parts['records'] !== undefined)
    await importRecords(context, own, parts['records'], await state('records'))
  if (parts['settings'] !== undefined)
    await importSettings(context, own, parts['settings'], await state('settings'))
  if (parts['URL normalization'] !== undefined)
    await importSingle(context, own, 'URL normalization', parts, state)
  for (const [part, list] of Object.entries(LIST_PARTS)) {
    // Policies come after the settings of monitoring.
    if (part === 'monitoring policies' && parts['monitoring settings'] !== undefined)
      await importSingle(context, own, 'monitoring settings', parts, state)
    if (parts[part] !== undefined)
      await importListPart(context, own, part, list, parts[part], await state(part))
  }
  if (parts['rulesets'] !== undefined) {
    const owner = { zone: name, path: own.path }
    await importRulesets(
      context,
      owner,
      itemsOf(parts['rulesets']),
      itemsOf(await state('rulesets')),
      managed,
    )
  }
  reportDnssec(context, name, parts['DNSSEC'])
  // Last, so that the zone is as it was.
  if (zone['paused'] === true && present?.['paused'] !== true)
    await writeOne(context, subjectOf(name, 'zone', 'paused'), 'update', [
      'PATCH',
      own.path,
      { paused: true },
    ])
}

function zoneDraft({ name, plan, vanity_name_servers: vanity }: Item): Item {
  const level = isItem(plan) ? PLANS.find((known) => known === plan['legacy_id']) : undefined
  return {
    name,
    type: 'full',
    ...(level === undefined ? {} : { plan: { legacy_id: level } }),
    ...(Array.isArray(vanity) && vanity.length > 0 ? { vanity_name_servers: vanity } : {}),
  }
}

async function importSingle(
  context: ImportContext,
  zone: { readonly name: string; readonly path: string },
  part: string,
  parts: ZoneSnapshot['parts'],
  state: (part: string) => Promise<unknown>,
): Promise<void> {
  const single = SINGLES[part]
  const [source, here] = [parts[part], await state(part)]
  if (single === undefined || !isItem(source)) return
  const desired = single.members(source)
  const current = isItem(here) ? single.members(here) : {}
  const changed = Object.fromEntries(
    Object.entries(desired).filter(([name, value]) => !isDeepStrictEqual(value, current[name])),
  )
  const subject = subjectOf(zone.name, part, part)
  if (Object.keys(changed).length === 0) return context.report({ ...subject, action: 'unchanged' })
  const url = zone.path + single.path
  if (single.isWhole === true || context.isPlan)
    return void (await writeOne(context, subject, 'update', [single.method, url, desired]))
  // One by one, so that one that is refused does not keep back the others.
  for (const [name, value] of Object.entries(changed))
    await writeOne(context, { ...subject, name }, 'update', [single.method, url, { [name]: value }])
}

/** Settings that were never changed have the defaults of their server. */
async function importSettings(
  context: ImportContext,
  zone: { readonly name: string; readonly path: string },
  source: unknown,
  existing: unknown,
): Promise<void> {
  const here = new Map(itemsOf(existing).map((setting) => [String(setting['id']), setting['value']]))
  for (const { id, value, modified_on: changed } of itemsOf(source)) {
    const name = String(id)
    const subject = subjectOf(zone.name, 'setting', name)
    if (changed === null || changed === undefined) continue
    if (!KNOWN_SETTINGS.includes(name))
      context.report({ ...subject, action: 'left out', reason: 'there is no such setting here' })
    else if (isDeepStrictEqual(here.get(name), value)) context.report({ ...subject, action: 'unchanged' })
    else await writeOne(context, subject, 'update', ['PATCH', `${zone.path}/settings/${name}`, { value }])
  }
}

async function importListPart(
  context: ImportContext,
  zone: { readonly name: string; readonly path: string },
  part: string,
  { path, draft, identity, sendsList, order }: ListPart,
  source: unknown,
  existing: unknown,
): Promise<void> {
  const keyOf = (item: Item): string => JSON.stringify(identity(draft(item)))
  const here = itemsOf(existing)
  for (const item of itemsOf(source).toSorted(order ?? (() => 0))) {
    const desired = draft(item)
    const subject = subjectOf(zone.name, part.slice(0, -1).replace(/policie$/, 'policy'), keyOf(item), item)
    const index = here.findIndex((other) => keyOf(other) === keyOf(item))
    const [present] = index < 0 ? [] : here.splice(index, 1) // the same twice is two
    if (present === undefined) {
      await writeOne(context, subject, 'create', [
        'POST',
        zone.path + path,
        sendsList === true ? [desired] : desired,
      ])
      continue
    }
    const target_id = String(present['id'])
    if (isDeepStrictEqual(draft(present), desired))
      context.report({ ...subject, action: 'unchanged', target_id })
    else context.report({ ...subject, action: 'left out', reason: 'it exists with other values', target_id })
  }
}

/** Private keys cannot be read, so signing restarts with new keys. */
function reportDnssec({ report }: ImportContext, zone: string, dnssec: unknown): void {
  if (!isItem(dnssec) || (dnssec['status'] !== 'active' && dnssec['status'] !== 'pending')) return
  const reason =
    'keys do not leave their server: remove the DS at the registrar before you change the nameservers, and sign here afterwards'
  report({ ...subjectOf(zone, 'DNSSEC', 'signing'), action: 'left out', reason })
}
