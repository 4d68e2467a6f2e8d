// Scripts of other shapes than the templates, written last and never trained on.

export interface Probe {
  readonly name: string
  readonly isHostile: boolean
  readonly source: string
}

export const PROBES: readonly Probe[] = []
