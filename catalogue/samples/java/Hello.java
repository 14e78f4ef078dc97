import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

public class Hello {
    public static void main(String[] arguments) throws Exception {
        // head and body are two writes, and the second would wait for the client's acknowledgement
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(System.getenv("HOST"), port), 1024);
        server.createContext("/", exchange -> answer(exchange, "Hello from Java\n"));
        server.createContext("/threads", exchange -> answer(exchange, kind(Thread.currentThread()) + "\n"));
        server.setExecutor("virtual".equals(System.getenv("THREADS")) ? virtual() : Executors.newCachedThreadPool());
        server.start();
    }

    static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes();
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** By reflection: it compiles with Java before 21 too, and does not run virtual there. */
    static Executor virtual() throws ReflectiveOperationException {
        return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    static String kind(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread) ? "virtual" : "platform";
        } catch (ReflectiveOperationException none) {
            return "platform";
        }
    }
}
