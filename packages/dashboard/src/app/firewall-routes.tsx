// The routes of the firewall screens.
import { createRoute, lazyRouteComponent, type AnyRoute } from '@tanstack/react-router'

export function firewallRoutes<Parent extends AnyRoute>(zone: Parent) {
  const rules = () => import('../screens/rules/rules-screen.tsx')
  return [
    createRoute({
      getParentRoute: () => zone,
      path: '/rules',
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
      path: '/managed-rules',
      component: lazyRouteComponent(
        () => import('../screens/managed-rules/managed-rules-screen.tsx'),
        'ManagedRulesScreen',
      ),
    }),
  ] as const
}
