// The routes of the firewall screens.
import { createRoute, lazyRouteComponent, type AnyRoute } from '@tanstack/react-router'

export function firewallRoutes<Parent extends AnyRoute>(zone: Parent) {
  return [
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
