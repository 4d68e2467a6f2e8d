// Settings of the whole program, by name.
import { TABLES } from './tables/registry.ts'

export const settings = TABLES.settings.of<{ readonly name: string; readonly value: string }>()
