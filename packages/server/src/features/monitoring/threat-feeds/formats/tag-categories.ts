// Categories from the tags of abuse.ch's feeds, beyond the kind of threat.
import type { ThreatCategory } from '../../page-shield/index.ts'

const CATEGORIES: ReadonlyMap<string, ThreatCategory> = new Map(
  Object.entries({
    c2: 'Command-and-Control (C2) & Botnet',
    'c&c': 'Command-and-Control (C2) & Botnet',
    coinminer: 'Crypto mining',
    dga: 'Domain Generation Algorithm (DGA) domain',
    impersonation: 'Typosquatting & Impersonation',
    phishing: 'Phishing',
    spyware: 'Spyware',
    typosquat: 'Typosquatting & Impersonation',
    typosquatting: 'Typosquatting & Impersonation',
  } as const),
)

/** @param tags comma-separated, in any case; tags without a category are ignored. */
export const categoriesOfTags = (tags: string): readonly ThreatCategory[] =>
  tags
    .toLowerCase()
    .split(',')
    .map((tag) => CATEGORIES.get(tag.trim()))
    .filter((category) => category !== undefined)
