public class Hello {
    public static void main(String[] arguments) {
        throw new IllegalStateException("broken on purpose");
    }
}
