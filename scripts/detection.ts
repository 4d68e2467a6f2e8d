// npm run detection: how many ordinary requests the managed rules block, and how many attacks they let through, over
// the corpora in this repository. Prints rates for each paranoia level, legacy sensitivity and class of attack; with
// --missed, also the attacks that were not blocked.
import { ATTACK_REQUESTS } from '../packages/firewall/src/managed-rules/corpus/attack-requests.cases.ts'
import { BENIGN_REQUESTS } from '../packages/firewall/src/managed-rules/corpus/benign-requests.cases.ts'
import type { NamedRequest } from '../packages/firewall/src/managed-rules/corpus/named-request.cases.ts'
import {
  findNew,
  isBlocked,
  type NewFindings,
  PARANOIA_LEVELS,
} from '../packages/firewall/src/managed-rules/corpus/new-product.cases.ts'
import { decideLegacy } from '../packages/firewall/src/legacy/legacy-decision.ts'
import { DEFAULT_LEGACY_CONFIGURATION } from '../packages/firewall/src/legacy/legacy-configuration.ts'
import { inspectSample } from '../packages/firewall/src/managed-rules/request-sample.cases.ts'

const SENSITIVITIES = ['low', 'medium', 'high'] as const
const THRESHOLDS = [60, 40, 25] as const

interface Judged extends NamedRequest {
  readonly found: NewFindings
  /** At low, medium and high sensitivity. */
  readonly isStoppedByLegacy: readonly boolean[]
}

const judge = (named: NamedRequest): Judged => {
  const inspected = inspectSample(named.request)
  const isStoppedByLegacy = SENSITIVITIES.map((sensitivity) => {
    const packages = { sensitivity, actionMode: 'block' as const }
    const { action } = decideLegacy({ ...DEFAULT_LEGACY_CONFIGURATION, packages }, inspected)
    return action === 'block' || action === 'challenge'
  })
  return { ...named, found: findNew(inspected), isStoppedByLegacy }
}

const share = (list: readonly Judged[], isCounted: (judged: Judged) => boolean): string => {
  const count = list.filter(isCounted).length
  return `${String(count).padStart(4)} (${((100 * count) / list.length).toFixed(1)} %)`
}

function printShares(list: readonly Judged[]): void {
  console.log(`  managed rulesets, default settings          ${share(list, ({ found }) => isBlocked(found))}`)
  console.log(
    `  blocked by one rule of the managed ruleset  ${share(list, ({ found }) => found.refusing.length > 0)}`,
  )
  for (const level of PARANOIA_LEVELS) {
    const cells = THRESHOLDS.map((threshold) => share(list, ({ found }) => found.scores[level] >= threshold))
    const some = share(list, ({ found }) => found.scores[level] > 0)
    console.log(
      `  OWASP score, paranoia level ${level}: from 60 ${cells[0]}, from 40 ${cells[1]}, from 25 ${cells[2]}, any ${some}`,
    )
  }
  for (const [i, sensitivity] of SENSITIVITIES.entries()) {
    const cell = share(list, ({ isStoppedByLegacy }) => isStoppedByLegacy[i] === true)
    console.log(`  legacy WAF, sensitivity ${sensitivity.padEnd(6)}              ${cell}`)
  }
}

const benign = BENIGN_REQUESTS.map(judge)
console.log(`${benign.length} ordinary requests, blocked:`)
printShares(benign)

const attacks = ATTACK_REQUESTS.map(judge)
console.log(`\n${attacks.length} attacks, blocked:`)
printShares(attacks)
console.log('\nattacks blocked by default, by class (managed rulesets; legacy WAF at high):')
for (const kind of new Set(attacks.map((attack) => attack.kind))) {
  const list = attacks.filter((attack) => attack.kind === kind)
  const fresh = share(list, ({ found }) => isBlocked(found))
  const previous = share(list, ({ isStoppedByLegacy }) => isStoppedByLegacy[2] === true)
  console.log(`  ${kind.padEnd(34)} of ${String(list.length).padStart(3)}: ${fresh}; ${previous}`)
}
if (process.argv.includes('--missed')) {
  const missed = attacks.filter(({ found }) => !isBlocked(found))
  console.log('\nnot blocked by the managed rulesets, with the score at paranoia level 2:')
  for (const { kind, name, found } of missed)
    console.log(`  ${kind}: ${JSON.stringify(name)} (${found.scores[2]})`)
}
