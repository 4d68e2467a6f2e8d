// Permission groups: any one of those of a part allows reading that part of a zone.

export const MAY_READ = {
  zone: ['Zone Read', 'Zone Write'],
  dns: ['DNS Read', 'DNS Write'],
  monitoring: ['Domain Page Shield Read', 'Domain Page Shield', 'Zone Settings Read', 'Zone Settings Write'],
  rulesets: ['Zone WAF Read', 'Zone WAF Write'],
} as const
