// Rulesets of an account or a zone. Custom rulesets come first, because entry points execute them. Each ruleset is
// written in one request, so it is never half imported.
import { RULESET_PHASES } from '@zonereeve/contract'
import { isDeepStrictEqual } from 'node:util'
import { describeIssues, isItem, itemsOf, type Item, type Reply } from './connection.ts'
import { sendLeavingOut, subjectOf, type ImportContext, type Subject } from './import-context.ts'

/** Members that the server assigns, or derives. */
const ASSIGNED = new Set(['id', 'version', 'last_updated', 'categories'])

export interface RulesetOwner {
  /** Name of the zone; null: the account. */
  readonly zone: string | null
  readonly path: string
}

/** @param managed identifiers of the managed rulesets of the target. */
export async function importRulesets(
  context: ImportContext,
  owner: RulesetOwner,
  source: readonly Item[],
  existing: readonly Item[],
  managed: ReadonlySet<string>,
): Promise<void> {
  const isEntryPoint = ({ kind }: Item): boolean => kind !== 'custom'
  const candidates = new Set(existing)
  for (const ruleset of source.toSorted((a, b) => Number(isEntryPoint(a)) - Number(isEntryPoint(b)))) {
    const alike = [...candidates].filter((other) =>
      isEntryPoint(ruleset)
        ? isEntryPoint(other) && other['phase'] === ruleset['phase']
        : !isEntryPoint(other) && other['phase'] === ruleset['phase'] && other['name'] === ruleset['name'],
    )
    // Names of custom rulesets need not be unique: the same twice is two.
    const own = alike.find((other) => hasSameRules(ruleset, other, context.ids)) ?? alike[0]
    if (own !== undefined) candidates.delete(own)
    await importRuleset(context, owner, ruleset, own, managed)
  }
}

function hasSameRules(source: Item, here: Item, ids: ReadonlyMap<string, string>): boolean {
  const drafts = (rules: unknown, known: ReadonlyMap<string, string>) =>
    itemsOf(rules).map((rule) => draftOf(rule, known))
  return isDeepStrictEqual(drafts(source['rules'], ids), drafts(here['rules'], new Map()))
}

async function importRuleset(
  context: ImportContext,
  { zone, path }: RulesetOwner,
  ruleset: Item,
  present: Item | undefined,
  managed: ReadonlySet<string>,
): Promise<void> {
  const { ids, report, isPlan, isReplacing, target } = context
  const isCustom = ruleset['kind'] === 'custom'
  const phase = String(ruleset['phase'])
  const name = isCustom ? String(ruleset['name']) : phase
  const subject = subjectOf(zone, 'ruleset', name, ruleset)
  if (!RULESET_PHASES.some((known) => known === phase))
    return report({ ...subject, action: 'left out', reason: `there is no phase ${phase} here` })
  const rules: Rule[] = []
  for (const rule of itemsOf(ruleset['rules'])) {
    const own = subjectOf(zone, 'rule', `${name}: ${labelOf(rule)}`, rule)
    const missing = unknownRuleset(rule, ids, managed)
    if (missing === undefined) rules.push({ subject: own, source: rule, draft: draftOf(rule, ids) })
    else report({ ...own, action: 'left out', reason: `there is no ruleset ${missing} here` })
  }
  const before = present === undefined ? [] : itemsOf(present['rules'])
  const isSame = isDeepStrictEqual(
    before.map((rule) => draftOf(rule, new Map())),
    rules.map(({ draft }) => draft),
  )
  if (present !== undefined && (isSame || (before.length > 0 && !isReplacing))) {
    rememberIds(ids, ruleset, present, isSame ? rules : [])
    if (isSame) return reportAll(context, subject, rules, 'unchanged', present)
    return report({
      ...subject,
      action: 'left out',
      reason: 'it exists with other rules: --replace replaces them',
    })
  }
  const action = present === undefined ? 'create' : 'update'
  if (rules.length === 0) return report({ ...subject, action: 'unchanged' })
  if (isPlan) {
    ids.set(String(ruleset['id']), String(ruleset['id']))
    return reportAll(context, subject, rules, action, present)
  }
  const { description } = ruleset
  const about = description === undefined ? {} : { description }
  const send = (accepted: readonly Rule[]): Promise<Reply> => {
    const body = { ...about, rules: accepted.map(({ draft }) => draft) }
    if (!isCustom) return target.send('PUT', `${path}/rulesets/phases/${phase}/entrypoint`, body)
    if (present === undefined)
      return target.send('POST', `${path}/rulesets`, { ...body, name, kind: 'custom', phase })
    return target.send('PUT', `${path}/rulesets/${String(present['id'])}`, body)
  }
  const { reply, sent, refused } = await sendLeavingOut(rules, '/rules', send)
  for (const { item, issues } of refused)
    report({ ...item.subject, action: 'left out', reason: describeIssues(issues) })
  if (reply === undefined)
    return report({ ...subject, action: 'left out', reason: 'none of its rules was accepted' })
  if (!reply.ok) return report({ ...subject, action: 'left out', reason: describeIssues(reply.issues) })
  const written = isItem(reply.result) ? reply.result : {}
  rememberIds(ids, ruleset, written, sent)
  reportAll(context, subject, sent, action, written)
}

interface Rule {
  readonly subject: Subject
  readonly source: Item
  readonly draft: Item
}

function reportAll(
  { report }: ImportContext,
  subject: Subject,
  rules: readonly Rule[],
  action: 'create' | 'update' | 'unchanged',
  written: Item | undefined,
): void {
  const id = (item: Item | undefined) => (item?.['id'] === undefined ? {} : { target_id: String(item['id']) })
  report({ ...subject, action, ...id(written) })
  const own = written === undefined || action === 'update' ? [] : itemsOf(written['rules'])
  for (const [index, rule] of rules.entries()) report({ ...rule.subject, action, ...id(own[index]) })
}

/** Rules that skip name other rulesets and their rules. */
function rememberIds(ids: Map<string, string>, source: Item, here: Item, rules: readonly Rule[]): void {
  ids.set(String(source['id']), String(here['id']))
  for (const [index, { id }] of itemsOf(here['rules']).entries()) {
    const rule = rules[index]
    if (rule !== undefined) ids.set(String(rule.source['id']), String(id))
  }
}

function draftOf(rule: Item, ids: ReadonlyMap<string, string>): Item {
  const own = Object.entries(rule).filter(
    ([name, value]) => !ASSIGNED.has(name) && !(name === 'ref' && value === rule['id']),
  )
  return mapIds(Object.fromEntries(own), ids) as Item // an object stays an object
}

/** With the identifiers of this server, in values and in names of members. */
function mapIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => mapIds(item, ids))
  if (!isItem(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [ids.get(name) ?? name, mapIds(item, ids)]),
  )
}

/** The ruleset that a rule executes, if the target does not have it. */
function unknownRuleset(
  rule: Item,
  ids: ReadonlyMap<string, string>,
  managed: ReadonlySet<string>,
): string | undefined {
  const parameters = rule['action_parameters']
  if (rule['action'] !== 'execute' || !isItem(parameters)) return undefined
  const id = String(parameters['id'])
  return ids.has(id) || managed.has(id) ? undefined : id
}

const labelOf = ({ description, expression, id }: Item): string =>
  [description, expression, id].find((text): text is string => typeof text === 'string' && text !== '') ??
  'a rule'
