// The entry of the dashboard in a browser.
import './styles/all.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from './app/queries.ts'
import { createDashboardRouter } from './app/router.tsx'
import { readTheme, showTheme } from './app/theme.ts'

showTheme(readTheme())
const queries = createQueries()
const router = createDashboardRouter(queries)
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
