// Fails if a dependency of the program has a known vulnerability of level high or critical. The registry knows them: if it
// cannot be asked, this is skipped, with the reason, because an outage of a registry says nothing about the program.
import { run } from './process.ts'
import { readAudit } from './read-audit.ts'

const finished = await run('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'])
const result = readAudit(finished.output)
switch (result.kind) {
  case 'unanswered':
    console.log(`SKIP  npm audit: needs a registry that answers it: ${result.reason}`)
    console.log('0 passed, 0 failed, 1 skipped')
    break
  case 'vulnerable':
    console.log(`FAIL  npm audit: ${result.names.join(', ')}; run npm audit --omit=dev`)
    console.log('0 passed, 1 failed')
    process.exitCode = 1
    break
  case 'clean':
    console.log('ok    npm audit: no dependency has a known vulnerability of level high or critical')
    console.log('1 passed, 0 failed')
}
