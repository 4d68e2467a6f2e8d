// Runs every command that the README shows, so that none of them is a promise only.
//
// A fenced block is run when its opening fence carries a mark, as in ```sh run. Marks:
//   run                 each block is one bash script, which must end with code 0
//   run=background      stays running until the last block has ended; must print a line with "ready" first
//   run=once            as run, but skipped when this checkout has its dependencies (npm ci in a fresh clone)
// A block marked `expect` right after one that ran shows its output: every line of it must be printed, where … stands
// for anything. Blocks share one folder and one environment.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { readmeBlocks, unprintedLine, type ReadmeBlock } from './readme-blocks.ts'
