// The steps of the wizard, and which one a state of the server belongs to.
import type { MigrationState } from '../../api/migration.ts'
import type { WireZone } from '../../api/zones.ts'

export const STEPS = ['deploy', 'ready', 'turn-off'] as const
export type Step = (typeof STEPS)[number]

export const isStep = (text: string | undefined): text is Step => STEPS.some((step) => step === text)

const CURRENT: Readonly<Record<MigrationState, Step>> = {
  start: 'deploy',
  validation: 'ready',
  done: 'turn-off',
}

export const currentStep = (state: MigrationState): Step => CURRENT[state]

/** Where Deploy leads on the zone's plan, as far as the reader is shown: the server compares it with the truth. */
export const leadsTo = ({ plan }: Pick<WireZone, 'plan'>): 'validation' | 'done' =>
  plan.legacy_id === 'enterprise' ? 'validation' : 'done'
