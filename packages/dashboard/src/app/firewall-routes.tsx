// The routes of the firewall screens.
import { createRoute, lazyRouteComponent, type AnyRoute } from '@tanstack/react-router'
import { pickSearch } from './search.ts'

export function firewallRoutes<Parent extends AnyRoute>(zone: Parent) {
  const rules = () => import('../screens/rules/rules-screen.tsx')
  return [
    createRoute({
      getParentRoute: () => zone,
      path: '/rules',
      validateSearch: (search) => pickSearch(search, ['rule', 'exception', 'legacy']),
      component: lazyRouteComponent(rules, 'CustomRulesScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/rules/redirects',
      component: lazyRouteComponent(rules, 'RedirectsScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/rules/rate-limits',
      component: lazyRouteComponent(rules, 'RateLimitsScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/rules/managed',
      validateSearch: (search) => pickSearch(search, ['exception']),
      component: lazyRouteComponent(rules, 'ManagedExceptionsScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/activity',
      validateSearch: (search) => pickSearch(search, ['q', 'since', 'until', 'event']),
      component: lazyRouteComponent(
        () => import('../screens/activity/activity-screen.tsx'),
        'ActivityScreen',
      ),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/trace',
      validateSearch: (search) => pickSearch(search, ['method', 'url', 'ip']),
      component: lazyRouteComponent(() => import('../screens/trace/trace-screen.tsx'), 'TraceScreen'),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/managed-rules',
      component: lazyRouteComponent(
        () => import('../screens/managed-rules/managed-rules-screen.tsx'),
        'ManagedRulesScreen',
      ),
    }),
    createRoute({
      getParentRoute: () => zone,
      path: '/legacy-rules',
      validateSearch: (search) => pickSearch(search, ['show', 'group']),
      component: lazyRouteComponent(() => import('../screens/legacy/legacy-screen.tsx'), 'LegacyScreen'),
    }),
  ] as const
}
