import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
