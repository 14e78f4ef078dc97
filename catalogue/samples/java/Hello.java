import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

public class Hello {
    static final byte[] BODY = "Hello from Java\n".getBytes();

    public static void main(String[] arguments) throws IOException {
        // head and body are two writes, and the second would wait for the client's acknowledgement
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(System.getenv("HOST"), port), 1024);
        server.createContext("/", Hello::answer);
        server.setExecutor(threads());
        server.start();
    }

    static void answer(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, BODY.length);
        exchange.getResponseBody().write(BODY);
        exchange.close();
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
