// The same decisions computed differently: all rules are unrolled into one list with their conditions, and walked
// with a list of skipped items. Slow, but short enough to verify by reading.
import { DECIDING_PHASES } from './phases.ts'
import type { ShortRule, ShortRuleset } from './firewall.cases.ts'

interface Out {
  readonly kind: 'ruleset-run' | 'phase-run' | 'phase' | 'ruleset' | 'rule'
  readonly key: string
}

interface Item {
  readonly rule: ShortRule
  readonly action: string
  /** Items whose skipping also skips the rule. */
  readonly within: readonly Out[]
  /** Runs that the rule can end. */
  readonly rulesetRun: string
  readonly phaseRun: string
  readonly level: string
}

const ENDING = ['block', 'challenge', 'js_challenge', 'managed_challenge', 'redirect']
const OVERRIDABLE = [...ENDING.slice(0, 4), 'log']

/** Returns what happens, as `log a, block b`. @param holds which rules match, by ID. */
export function naiveStory(rulesets: readonly ShortRuleset[], holds: (rule: ShortRule) => boolean): string {
  const out: Out[] = []
  const isOut = (expected: Out) => out.some(({ kind, key }) => kind === expected.kind && key === expected.key)
  const story: string[] = []
  const list = unroll(rulesets)
  for (const { rule, action, within, rulesetRun, phaseRun, level } of list) {
    if (within.some(isOut) || !holds(rule)) {
      // An execute rule that does not match also skips the ruleset it executes.
      if (rule.action === 'execute') out.push({ kind: 'ruleset-run', key: `${rulesetRun}>${rule.id}` })
      continue
    }
    if (rule.isCounted === true) {
      story.push(`counted ${rule.id}`)
      continue
    }
    story.push(`${action} ${rule.id}`)
    if (ENDING.includes(action)) return story.join(', ')
    if (action !== 'skip') continue
    const { ruleset, phase, phases = [], rulesets: ids = [], rules = {} } = (rule.parameters ?? {}) as Skipped
    if (ruleset === 'current') out.push({ kind: 'ruleset-run', key: rulesetRun })
    if (phase === 'current') out.push({ kind: 'phase-run', key: phaseRun })
    out.push(...phases.map((name): Out => ({ kind: 'phase', key: `${level} ${name}` })))
    out.push(...ids.map((id): Out => ({ kind: 'ruleset', key: `${phaseRun} ${id}` })))
    for (const [id, names] of Object.entries(rules))
      out.push(...names.map((name): Out => ({ kind: 'rule', key: `${phaseRun} ${id} ${name}` })))
  }
  return story.join(', ')
}

interface Skipped {
  readonly ruleset?: string
  readonly phase?: string
  readonly phases?: readonly string[]
  readonly rulesets?: readonly string[]
  readonly rules?: Readonly<Record<string, readonly string[]>>
}

interface Overrides {
  readonly action?: string
  readonly enabled?: boolean
  readonly rules?: readonly { readonly id: string; readonly action?: string; readonly enabled?: boolean }[]
}

function unroll(rulesets: readonly ShortRuleset[]): Item[] {
  return DECIDING_PHASES.flatMap((phase) =>
    (['account', 'zone'] as const).flatMap((level) => {
      const entry = rulesets.find(
        (one) => one.isCustom !== true && one.level === level && one.phase === phase,
      )
      if (entry === undefined) return []
      const phaseRun = `${level} ${phase}`
      const around: Out[] = [
        { kind: 'phase-run', key: phaseRun },
        { kind: 'phase', key: phaseRun },
      ]
      return itemsOf(entry, phaseRun, around, undefined)
    }),
  )

  function itemsOf(
    { id, level, rules }: ShortRuleset,
    run: string,
    around: readonly Out[],
    overrides: Overrides | undefined,
  ): Item[] {
    const phaseRun = run.split('>')[0] ?? ''
    return rules.flatMap((rule): Item[] => {
      const own = overrides?.rules?.find((one) => one.id === rule.id)
      const enabled = own?.enabled ?? overrides?.enabled ?? true
      if (rule.enabled === false || !enabled) return []
      const replaced = own?.action ?? overrides?.action
      const action = replaced !== undefined && OVERRIDABLE.includes(rule.action) ? replaced : rule.action
      const within: Out[] = [
        ...around,
        { kind: 'ruleset-run', key: run },
        { kind: 'rule', key: `${phaseRun} ${id} ${rule.id}` },
      ]
      const executedId = rule.action === 'execute' ? String(rule.parameters?.['id']) : undefined
      const left: Out[] =
        executedId === undefined ? [] : [{ kind: 'ruleset', key: `${phaseRun} ${executedId}` }]
      const item: Item = { rule, action, within: [...within, ...left], rulesetRun: run, phaseRun, level }
      const executed = rulesets.find((one) => one.isCustom === true && one.id === executedId)
      if (executed === undefined) return [item]
      const next = `${run}>${rule.id}`
      return [
        item,
        ...itemsOf({ ...executed, level }, next, within, rule.parameters?.['overrides'] as Overrides),
      ]
    })
  }
}
