import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^\.\/worker-file\.ts$/,
        replacement: join(import.meta.dirname, 'scripts/bundled-worker-file.ts'),
      },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: 'scripts/bundled.ts',
    isolate: false,
    // Many tests wait for programs they start: three workers finish earlier even on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Limits end tests that hang. A slow machine must never reach them: the slowest test takes seconds on a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
