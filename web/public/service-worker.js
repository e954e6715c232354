// Shows push messages while no page is open, and opens the screen of a clicked one. It is registered when notifications are enabled
// (web/parts/push/this-browser.ts). It caches no page and handles no request.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  const options = { body, tag, renotify: true, icon: "/icon-192.png", lang: "ru", data: { url } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/** Navigates an open window of the application to `url`, or opens one. */
async function open(url) {
  const [window] = await self.clients.matchAll({ type: "window" });
  if (window === undefined) return self.clients.openWindow(url);
  await window.focus();
  return window.navigate(url);
}
