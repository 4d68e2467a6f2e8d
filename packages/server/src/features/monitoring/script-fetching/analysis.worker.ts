// The process that analyzes scripts: one at a time; the parent process stops it when a script exceeds the
// limits.
import { analyse, compare, type AnalysisRequest, type ComparisonRequest } from './analysis.ts'

process.on('message', (request: AnalysisRequest | ComparisonRequest) => {
  if ('before' in request) process.send?.(compare(request))
  else analyse(request, (step) => process.send?.(step))
})
process.on('disconnect', () => process.exit())
