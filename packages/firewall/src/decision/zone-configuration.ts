// What decides about the requests to a zone, as JSON: the server writes it, and an edge reads and compiles it.
import type { Chunked } from '@zonereeve/cooperate'
import { NO_PRODUCT_RULES, type ProductRules, withProducts } from '../access/products.ts'
import { compileCredentials, type CredentialSettings } from '../credentials/credential-check.ts'
import { compileLists, type NamedList } from '../lists/named-lists.ts'
import type { LegacyConfiguration, LegacyOverride } from '../legacy/legacy-configuration.ts'
import { compileRuleset, type CompiledRuleset } from '../rulesets/compiled-ruleset.ts'
import type { Firewall } from '../rulesets/evaluate-request.ts'
import { EFFECTIVE_PHASES, type PhaseName } from '../rulesets/phases.ts'
import type { Ruleset } from '../rulesets/ruleset.ts'
import { createConditions, type DecidingZone } from './decide.ts'
import type { LegacyZone } from './legacy-zone.ts'
import { DEFAULT_NORMALIZATION, type UrlNormalization } from './request-facts.ts'

export interface ZoneConfiguration {
  /** Rulesets of the zone and of its account; those that decide about no request are left out when compiled. */
  readonly rulesets: readonly Ruleset[]
  readonly legacy: LegacyZone
  /** Absent in documents of versions without it. */
  readonly credentials?: CredentialSettings
  /** Absent in documents of versions without it. */
  readonly normalization?: UrlNormalization
  /** The named lists that rules use. Absent in documents of versions without them. */
  readonly lists?: readonly NamedList[]
  /** Absent in documents of versions without them. */
  readonly products?: ProductRules
}

/** The same as JSON has it: maps are arrays of entries. */
export interface WrittenZoneConfiguration {
  readonly rulesets: readonly Ruleset[]
  readonly credentials?: CredentialSettings
  readonly normalization?: UrlNormalization
  readonly lists?: readonly NamedList[]
  readonly products?: ProductRules
  readonly legacy: Omit<LegacyZone, 'managed'> & { readonly managed: WrittenLegacyConfiguration }
}

type Entries<M> = M extends ReadonlyMap<infer K, infer V> ? readonly (readonly [K, V])[] : M
type Written<T> = { readonly [K in keyof T]: Entries<T[K]> }
type WrittenLegacyConfiguration = Omit<Written<LegacyConfiguration>, 'overrides'> & {
  readonly overrides: readonly Written<LegacyOverride>[]
}

/** Converts a configuration to plain JSON values. */
export function writeZoneConfiguration({
  rulesets,
  legacy,
  credentials,
  normalization,
  lists,
  products,
}: ZoneConfiguration): WrittenZoneConfiguration {
  const { managed } = legacy
  return {
    rulesets,
    ...(credentials !== undefined && { credentials }),
    ...(normalization !== undefined && { normalization }),
    ...(lists !== undefined && { lists }),
    ...(products !== undefined && { products }),
    legacy: {
      ...legacy,
      managed: {
        ...managed,
        groupModes: [...managed.groupModes],
        ruleModes: [...managed.ruleModes],
        overrides: managed.overrides.map((override) => ({
          ...override,
          groups: [...override.groups],
          rules: [...override.rules],
          rewriteAction: [...override.rewriteAction],
        })),
      },
    },
  }
}

/**
 * Compiles a written configuration. Patterns are compiled on first use.
 *
 * @throws if a part of it is not as `writeZoneConfiguration` writes it, or an expression cannot be compiled.
 */
export function* compileZone({
  rulesets,
  legacy,
  credentials,
  normalization = DEFAULT_NORMALIZATION,
  lists = [], // documents of versions without them name none
  products = NO_PRODUCT_RULES,
}: WrittenZoneConfiguration): Chunked<DecidingZone> {
  const compiled: { readonly rules: CompiledRuleset; readonly isEntry: boolean }[] = []
  for (const ruleset of rulesets.filter(({ phase }) => isEffective(phase)))
    compiled.push({ rules: yield* compileRuleset(ruleset), isEntry: ruleset.kind !== 'custom' })
  const conditionOf = createConditions()
  // An expression that cannot be compiled must not be noticed by the first request.
  for (const { expression } of [...legacy.bypasses, ...legacy.pageRules]) {
    conditionOf(expression)
    yield
  }
  return {
    firewall: withProducts(firewallOf(compiled), products),
    legacy: { ...legacy, managed: readManaged(legacy.managed) },
    conditionOf,
    normalization,
    lists: compileLists(lists),
    credentials: credentials && compileCredentials(credentials),
  }
}

function firewallOf(
  compiled: readonly { readonly rules: CompiledRuleset; readonly isEntry: boolean }[],
): Firewall {
  const entryPointsOf = (level: CompiledRuleset['level']) =>
    new Map(
      compiled
        .filter(({ isEntry, rules }) => isEntry && rules.level === level)
        .map(({ rules }) => [rules.phase, rules]),
    )
  return {
    entryPoints: { account: entryPointsOf('account'), zone: entryPointsOf('zone') },
    custom: new Map(compiled.filter(({ isEntry }) => !isEntry).map(({ rules }) => [rules.id, rules])),
  }
}

const readManaged = (managed: WrittenLegacyConfiguration): LegacyConfiguration => ({
  ...managed,
  groupModes: new Map(managed.groupModes),
  ruleModes: new Map(managed.ruleModes),
  overrides: managed.overrides.map((override) => ({
    ...override,
    groups: new Map(override.groups),
    rules: new Map(override.rules),
    rewriteAction: new Map(override.rewriteAction),
  })),
})

const isEffective = (phase: PhaseName): boolean => EFFECTIVE_PHASES.includes(phase)
