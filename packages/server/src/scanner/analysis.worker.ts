// The process in which scripts are analysed: one at a time, ended from outside when one takes too long or too much.
import { analyse, type AnalysisRequest } from './analysis.ts'

process.on('message', (request: AnalysisRequest) => analyse(request, (step) => process.send?.(step)))
process.on('disconnect', () => process.exit())
