// Lists every optional program or file that a suite may require and this machine lacks. Exit code 1 if any is missing.
import { missingOf, requirementNames } from './requirements.ts'

const missing = requirementNames.flatMap((name) => missingOf([name])?.reason ?? [])
for (const reason of missing) console.log(`missing: ${reason}`)
console.log(`${requirementNames.length - missing.length} of ${requirementNames.length} requirements are met`)
process.exitCode = missing.length === 0 ? 0 : 1
