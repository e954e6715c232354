// Shows push messages while no page is open, and leads from one to its screen. Registered when notifications are switched on
// (web/parts/push/this-browser.ts). It keeps no page and answers no request.

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

/** An open window of ours is led there; where there is none one is opened. */
async function open(url) {
  const [window] = await self.clients.matchAll({ type: "window" });
  if (window === undefined) return self.clients.openWindow(url);
  await window.focus();
  return window.navigate(url);
}
