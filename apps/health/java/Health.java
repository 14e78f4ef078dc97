import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Is it up? At once, or after a wait in which nothing is computed. */
public class Health {
    static final byte[] OK = "ok".getBytes();
    /** What another service would take to answer, milliseconds. */
    static final long WAIT = 100;

    public static void main(String[] arguments) throws IOException {
        // head and body are two writes, and the second would wait for the client's acknowledgement
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(System.getenv("HOST"), port), 1024);
        server.createContext("/health", Health::answer);
        server.setExecutor(threads());
        server.start();
    }

    static void answer(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestURI().getPath()) {
            case "/health" -> say(exchange, 200, OK);
            case "/health/wait" -> {
                sleep();
                say(exchange, 200, OK);
            }
            default -> say(exchange, 404, "no such page".getBytes());
        }
    }

    static void say(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    static void sleep() throws IOException {
        try {
            Thread.sleep(WAIT);
        } catch (InterruptedException ended) {
            throw new IOException(ended);
        }
    }

    /** By reflection: it compiles with Java before 21 too. */
    static Executor threads() {
        try {
            return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException none) {
            return Executors.newCachedThreadPool();
        }
    }
}
