import type { HttpHead, Refusal } from './head.ts';
import type { HttpSettings } from './options.ts';
import { LOOPBACK_HOSTS } from './options.ts';

/**
 * Refuses requests that a foreign web page could have sent: an unknown `Host` (DNS rebinding) or an `Origin` that is
 * not allowed (HTTP-02, HTTP-03). Always on.
 */
export function checkHostAndOrigin(head: HttpHead, settings: HttpSettings): Refusal | undefined {
  const host = head.header('host')?.toLowerCase();
  if (host === undefined || !isAllowedHost(host, settings)) {
    return {
      status: 403,
      message: `Host ${JSON.stringify(host ?? '')} is not served here; name it in allowedHosts to serve it`,
    };
  }
  const origin = head.header('origin');
  if (origin === undefined || isAllowedOrigin(origin, host, settings)) return undefined;
  return {
    status: 403,
    message: `Origin ${JSON.stringify(origin)} may not call this endpoint; name it in allowedOrigins to allow it`,
  };
}

function isAllowedHost(host: string, settings: HttpSettings): boolean {
  return settings.allowedHosts.has(host) || settings.allowedHosts.has(withoutPort(host));
}

/** Whether a page of this origin may call: it is named, or it is the loopback endpoint itself. */
function isAllowedOrigin(origin: string, host: string, settings: HttpSettings): boolean {
  const value = origin.toLowerCase();
  if (settings.allowedOrigins.has(value)) return true;
  return value === `http://${host}` && LOOPBACK_HOSTS.includes(withoutPort(host));
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}
