// The process that analyzes scripts: one at a time; the parent process stops it when a script exceeds the
// limits.
import { analyse, type AnalysisRequest } from './analysis.ts'

process.on('message', (request: AnalysisRequest) => analyse(request, (step) => process.send?.(step)))
process.on('disconnect', () => process.exit())
