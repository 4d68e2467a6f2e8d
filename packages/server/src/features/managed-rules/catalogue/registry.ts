// Every managed rule, group by group. A new group is a file and a line here.
import type { ManagedRule } from '../managed-rule.ts'
import { BAD_ROBOTS } from './bad-robots.ts'
import { DRUPAL } from './drupal.ts'
import { NEWER_RULES } from './newer-rules.ts'

export const MANAGED_RULES: readonly ManagedRule[] = [...DRUPAL, ...NEWER_RULES, ...BAD_ROBOTS]
