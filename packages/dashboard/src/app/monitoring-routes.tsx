// The routes of monitoring: what browsers load, policies and their violations, settings, threat feeds.
import { createRoute, lazyRouteComponent, type AnyRoute } from '@tanstack/react-router'
import { pickSearch } from './search.ts'

const listSearch = (search: Readonly<Record<string, unknown>>) => pickSearch(search, ['q', 'status', 'sort'])
const loads = () => import('../screens/inventory/loads-screen.tsx')

function inventoryRoutes<Parent extends AnyRoute>(zone: Parent) {
  return [
    createRoute({
      getParentRoute: () => zone,
      path: '/scripts',
      validateSearch: listSearch,
      component: lazyRouteComponent(() => import('../screens/inventory/scripts-screen.tsx'), 'ScriptsScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/code',
      validateSearch: listSearch,
      component: lazyRouteComponent(() => import('../screens/inventory/code-screen.tsx'), 'CodeScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/connections',
      validateSearch: listSearch,
      component: lazyRouteComponent(loads, 'ConnectionsScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/frames',
      validateSearch: listSearch,
      component: lazyRouteComponent(loads, 'FramesScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/images',
      validateSearch: listSearch,
      component: lazyRouteComponent(loads, 'ImagesScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/forms',
      validateSearch: listSearch,
      component: lazyRouteComponent(loads, 'FormsScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/cookies',
      validateSearch: listSearch,
      component: lazyRouteComponent(() => import('../screens/inventory/cookies-screen.tsx'), 'CookiesScreen'),
    }),
  ] as const
}

export function monitoringRoutes<Parent extends AnyRoute>(zone: Parent) {
  return [
    ...inventoryRoutes(zone),
    createRoute({
      getParentRoute: () => zone,
      path: '/scripts/$script',
      component: lazyRouteComponent(() => import('../screens/scripts/script-screen.tsx'), 'ScriptScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/connections/$connection',
      component: lazyRouteComponent(
        () => import('../screens/inventory/connection-screen.tsx'),
        'ConnectionScreen',
      ),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/cookies/$cookie',
      component: lazyRouteComponent(() => import('../screens/inventory/cookie-screen.tsx'), 'CookieScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/pages',
      component: lazyRouteComponent(
        () => import('../screens/watched-pages/watched-pages-screen.tsx'),
        'WatchedPagesScreen',
      ),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/pages/$page',
      component: lazyRouteComponent(
        () => import('../screens/watched-pages/watched-page-screen.tsx'),
        'WatchedPageScreen',
      ),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/policies',
      component: lazyRouteComponent(
        () => import('../screens/policies/policies-screen.tsx'),
        'PoliciesScreen',
      ),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/policies/$policy',
      component: lazyRouteComponent(() => import('../screens/policies/policy-screen.tsx'), 'PolicyScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/violations',
      validateSearch: listSearch,
      component: lazyRouteComponent(
        () => import('../screens/policies/violations-screen.tsx'),
        'ViolationsScreen',
      ),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/monitoring',
      component: lazyRouteComponent(
        () => import('../screens/monitoring-settings/monitoring-settings-screen.tsx'),
        'MonitoringSettingsScreen',
      ),
    }),
  ] as const
}
